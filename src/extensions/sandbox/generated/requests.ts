// Made from the controls of the sandbox by npm run generate. Change control-operations.ts instead.

/** A fault to cause: one of a status, a cut connection and a broken body, or a delay alone */
export interface Fault {
/** Which requests, by method and path, * for anything: "PUT /users*", "/v2/api_auth"; all by default */ readonly match?: string;
/** Answer with this error; the request is not carried out */ readonly status?: number;
/** Seconds that Retry-After names */ readonly retryAfter?: number;
/** Cut the connection: before anything happens, or after the request was carried out */ readonly drop?: "before" | "after";
/** Wait first, by the sandbox's clock */ readonly delayMs?: number;
/** Carry the request out and break its reply off in the middle */ readonly body?: "garbage";
/** Number of requests that meet it; all by default */ readonly times?: number;
/** Share of the requests, 0 to 1: 0.05 is one in twenty */ readonly rate?: number;
/** Number that chooses the requests: the same one, the same requests */ readonly seed?: number;
}

/** A call to simulate */
export interface CallRequest {
/** Account, by id, name or realm; the first one if left out */ readonly account?: string;
/** Who calls: a number, a user or extension of the account, user:NAME, device:NAME, or anonymous */ readonly from: string;
/** What is dialled: a number or an extension */ readonly to: string;
/** Name that the caller shows */ readonly fromName?: string;
/** How long the call lasts in all (default: 30); longer where ringing alone takes longer */ readonly duration?: number;
/** What those do who are called */ readonly answering?: "answer" | "no-answer" | "busy";
/** What the caller dials when asked, answer by answer; timeout for nothing */ readonly digits?: readonly (string)[];
/** What users and devices do, by name */ readonly people?: { readonly [key: string]: string };
/** Seconds after which the caller gives up */ readonly hangsUpAfter?: number;
/** What is done in the call: after 10s transfer 2002 */ readonly acts?: readonly (string)[];
/** Make the call live: each event comes when it happens, and records at its end */ readonly realTime?: boolean;
}

/** An SMS that comes to a number of the account, or goes from it */
export interface SmsRequest {
/** Account, by id, name or realm; the first one if left out */ readonly account?: string;
/** Who sends: a number, or a user or extension of the account */ readonly from: string;
/** Who receives */ readonly to: string;
/** What it says */ readonly body: string;
}

/** A fax to a number of the account */
export interface FaxRequest {
/** Account, by id, name or realm; the first one if left out */ readonly account?: string;
/** Number that sends */ readonly from: string;
/** Number that receives */ readonly to: string;
/** Name that the caller shows */ readonly fromName?: string;
/** How many pages (default: 1) */ readonly pages?: number;
}

/** A message for a voicemail box, past any callflow */
export interface VoicemailRequest {
/** Account, by id, name or realm; the first one if left out */ readonly account?: string;
/** Voicemail box, by number, name or id */ readonly box: string;
/** Who calls: a number, a user or extension of the account, user:NAME, device:NAME, or anonymous */ readonly from: string;
/** Name that the caller shows */ readonly fromName?: string;
/** How long the message is (default: 10) */ readonly seconds?: number;
/** What it says, as its transcription */ readonly text?: string;
}

/** A registration of a simulated phone */
export interface PhoneRequest {
/** Account, by id, name or realm; the first one if left out */ readonly account?: string;
/** A device by id, name, MAC or SIP user name, or a user: all devices of the user */ readonly phone: string;
/** Seconds until it has to register again; by default what its device says, 300 */ readonly expires?: number;
/** What the phone calls itself */ readonly userAgent?: string;
}

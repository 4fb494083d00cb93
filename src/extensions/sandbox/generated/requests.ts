// Made from the controls of the sandbox by npm run generate. Change control-operations.ts instead.

/** A fault: a status, a cut connection, a broken body or only a delay */
export interface Fault {
/** Method and path of requests, such as "PUT /users*" or "/v2/api_auth" (default: all requests) */ readonly match?: string;
/** Refuse requests with this status */ readonly status?: number;
/** Value of Retry-After in seconds */ readonly retryAfter?: number;
/** Cut the connection before or after the request is carried out */ readonly drop?: "before" | "after";
/** Delay by the sandbox's clock before the request */ readonly delayMs?: number;
/** Carry out the request, and cut off its response */ readonly body?: "garbage";
/** Number of requests to affect (default: all) */ readonly times?: number;
/** Share of requests to affect, from 0 to 1 (0.05 is one in twenty) */ readonly rate?: number;
/** Seed of the random choice (the same seed chooses the same requests) */ readonly seed?: number;
}

/** A call to simulate */
export interface CallRequest {
/** Account by id, name or realm (default: the first account) */ readonly account?: string;
/** Caller: a number, a user or extension of the account, user:NAME, device:NAME, or anonymous */ readonly from: string;
/** Dialed number or extension */ readonly to: string;
/** Caller ID name */ readonly fromName?: string;
/** Length of the call in seconds, or longer if ringing takes longer (default: 30) */ readonly duration?: number;
/** Behavior of called people */ readonly answering?: "answer" | "no-answer" | "busy";
/** Digits for each prompt, or timeout */ readonly digits?: readonly (string)[];
/** Behavior of users and devices, by name */ readonly people?: { readonly [key: string]: string };
/** Seconds after which the caller hangs up */ readonly hangsUpAfter?: number;
/** Actions during the call: after 10s transfer 2002 */ readonly acts?: readonly (string)[];
/** Make the call live, with events as they happen and records at its end */ readonly realTime?: boolean;
}

/** An SMS to or from a number of the account */
export interface SmsRequest {
/** Account by id, name or realm (default: the first account) */ readonly account?: string;
/** Sender: a number, or a user or extension of the account */ readonly from: string;
/** Who receives */ readonly to: string;
/** Text of the message */ readonly body: string;
}

/** A fax to a number of the account */
export interface FaxRequest {
/** Account by id, name or realm (default: the first account) */ readonly account?: string;
/** Number of the sender */ readonly from: string;
/** Number of the receiver */ readonly to: string;
/** Caller ID name */ readonly fromName?: string;
/** Number of pages (default: 1) */ readonly pages?: number;
}

/** A message for a voicemail box, without a callflow */
export interface VoicemailRequest {
/** Account by id, name or realm (default: the first account) */ readonly account?: string;
/** Voicemail box, by number, name or id */ readonly box: string;
/** Caller: a number, a user or extension of the account, user:NAME, device:NAME, or anonymous */ readonly from: string;
/** Caller ID name */ readonly fromName?: string;
/** Length of the message in seconds (default: 10) */ readonly seconds?: number;
/** Transcription of the message */ readonly text?: string;
}

/** A registration of a simulated phone */
export interface PhoneRequest {
/** Account by id, name or realm (default: the first account) */ readonly account?: string;
/** A device by id, name, MAC or SIP user name, or a user for all of their devices */ readonly phone: string;
/** Seconds until the registration expires (default: the value of the device, or 300) */ readonly expires?: number;
/** User agent of the phone */ readonly userAgent?: string;
}

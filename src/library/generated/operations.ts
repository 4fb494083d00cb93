// Made from the contract by npm run generate. Change src/contract/resources instead.
import type { CallOptions, Records } from '../client-types.ts';

/** The operations of the service, by resource and verb. */
export interface Operations {
/** Customers: names, realms, defaults for all who belong to them, API keys. */ readonly accounts: {
/** List the accounts directly below an account. */ list(options?: CallOptions): Records<AccountRecord>;
/** List all accounts below an account. */ descendants(options?: CallOptions): Records<AccountRecord>;
/** Show one account. */ get(account_id: string, options?: CallOptions): Promise<AccountRecord>;
/** Create an account below another. */ create(data: AccountInput, options?: CallOptions): Promise<AccountRecord>;
/** Replace an account: what is not sent is lost. */ update(account_id: string, data: AccountInput, options?: CallOptions): Promise<AccountRecord>;
/** Change fields of an account. */ patch(account_id: string, data: AccountChanges, options?: CallOptions): Promise<AccountRecord>;
/** Delete an account. */ delete(account_id: string, options?: CallOptions): Promise<AccountRecord>;
/** Show the account's API key. */ apiKey(options?: CallOptions): Promise<{
/** API key of the account */ readonly api_key?: string;
}>;
/** Replace the account's API key; the old one stops working at once. */ rotateApiKey(data?: { readonly [key: string]: unknown }, options?: CallOptions): Promise<{
/** API key of the account */ readonly api_key?: string;
}>;
/** Replace the account's API key, where a service takes PUT for that; the old one stops working at once. */ putApiKey(data: { readonly [key: string]: unknown }, options?: CallOptions): Promise<{
/** API key of the account */ readonly api_key?: string;
}>;
};
/** People: names, passwords, forwarding, voicemail settings. */ readonly users: {
/** List users. */ list(options?: CallOptions): Records<UserRecord>;
/** Show one user. */ get(user_id: string, options?: CallOptions): Promise<UserRecord>;
/** Create a user. */ create(data: UserInput, options?: CallOptions): Promise<UserRecord>;
/** Replace a user: what is not sent is lost. */ update(user_id: string, data: UserInput, options?: CallOptions): Promise<UserRecord>;
/** Change fields of a user. */ patch(user_id: string, data: UserChanges, options?: CallOptions): Promise<UserRecord>;
/** Delete a user. */ delete(user_id: string, options?: CallOptions): Promise<UserRecord>;
/** Show a user's vCard. */ vcard(user_id: string, options: CallOptions & { readonly accept: "text/x-vcard" | "text/directory" }): Promise<string>;
/** Show a user's vCard. */ vcard(user_id: string, options?: CallOptions): Promise<UserRecord>;
};
/** Users and devices that ring together. */ readonly groups: {
/** List groups. */ list(options?: CallOptions): Records<GroupRecord>;
/** Show one group. */ get(group_id: string, options?: CallOptions): Promise<GroupRecord>;
/** Create a group. */ create(data: GroupInput, options?: CallOptions): Promise<GroupRecord>;
/** Replace a group: what is not sent is lost. */ update(group_id: string, data: GroupInput, options?: CallOptions): Promise<GroupRecord>;
/** Change fields of a group. */ patch(group_id: string, data: GroupChanges, options?: CallOptions): Promise<GroupRecord>;
/** Delete a group. */ delete(group_id: string, options?: CallOptions): Promise<GroupRecord>;
};
/** What happens to a call, by the number dialled. */ readonly callflows: {
/** List callflows. */ list(options?: CallOptions): Records<CallflowRecord>;
/** Show one callflow. */ get(callflow_id: string, options?: CallOptions): Promise<CallflowRecord>;
/** Create a callflow. */ create(data: CallflowInput, options?: CallOptions): Promise<CallflowRecord>;
/** Replace a callflow: what is not sent is lost. */ update(callflow_id: string, data: CallflowInput, options?: CallOptions): Promise<CallflowRecord>;
/** Change fields of a callflow. */ patch(callflow_id: string, data: CallflowChanges, options?: CallOptions): Promise<CallflowRecord>;
/** Delete a callflow. */ delete(callflow_id: string, options?: CallOptions): Promise<CallflowRecord>;
};
/** What callers can dial during a call. */ readonly metaflows: {
/** Show the metaflow settings. */ get(options?: CallOptions): Promise<MetaflowRecord>;
/** Replace the metaflow settings. */ update(data: MetaflowInput, options?: CallOptions): Promise<MetaflowRecord>;
/** Remove the metaflow settings. */ delete(options?: CallOptions): Promise<void>;
};
/** Menus that callers choose from. */ readonly menus: {
/** List menus. */ list(options?: CallOptions): Records<MenuRecord>;
/** Show one menu. */ get(menu_id: string, options?: CallOptions): Promise<MenuRecord>;
/** Create a menu. */ create(data: MenuInput, options?: CallOptions): Promise<MenuRecord>;
/** Replace a menu: what is not sent is lost. */ update(menu_id: string, data: MenuInput, options?: CallOptions): Promise<MenuRecord>;
/** Change fields of a menu. */ patch(menu_id: string, data: MenuChanges, options?: CallOptions): Promise<MenuRecord>;
/** Delete a menu. */ delete(menu_id: string, options?: CallOptions): Promise<MenuRecord>;
};
/** Dial by name. */ readonly directories: {
/** List directories. */ list(options?: CallOptions): Records<DirectoryRecord>;
/** Show one directory. */ get(directory_id: string, options?: CallOptions): Promise<DirectoryRecord>;
/** Create a directory. */ create(data: DirectoryInput, options?: CallOptions): Promise<DirectoryRecord>;
/** Replace a directory: what is not sent is lost. */ update(directory_id: string, data: DirectoryInput, options?: CallOptions): Promise<DirectoryRecord>;
/** Change fields of a directory. */ patch(directory_id: string, data: DirectoryChanges, options?: CallOptions): Promise<DirectoryRecord>;
/** Delete a directory. */ delete(directory_id: string, options?: CallOptions): Promise<DirectoryRecord>;
};
/** Conference rooms: numbers, PINs, tones. */ readonly conferences: {
/** List conferences. */ list(options?: CallOptions): Records<ConferenceRecord>;
/** Show one conference. */ get(conference_id: string, options?: CallOptions): Promise<ConferenceRecord>;
/** Create a conference. */ create(data: ConferenceInput, options?: CallOptions): Promise<ConferenceRecord>;
/** Replace a conference: what is not sent is lost. */ update(conference_id: string, data: ConferenceInput, options?: CallOptions): Promise<ConferenceRecord>;
/** Change fields of a conference. */ patch(conference_id: string, data: ConferenceChanges, options?: CallOptions): Promise<ConferenceRecord>;
/** Delete a conference. */ delete(conference_id: string, options?: CallOptions): Promise<ConferenceRecord>;
};
/** Those who are in a running conference. */ readonly participants: {
/** List who is in a conference. */ list(conference_id: string, options?: CallOptions): Records<ParticipantRecord>;
/** Show one participant. */ get(conference_id: string, participant_id: string, options?: CallOptions): Promise<ParticipantRecord>;
/** Mute, unmute, deafen, undeafen or remove a participant, or play something. */ update(conference_id: string, participant_id: string, data: {
/** What to do */ readonly action?: "mute" | "unmute" | "deaf" | "undeaf" | "kick" | "play" | (string & {});
/** Parameters of the action */ readonly data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}, options?: CallOptions): Promise<ConferenceRecord | string | readonly unknown[]>;
};
/** Voicemail boxes: numbers, PINs, notifications. */ readonly vmboxes: {
/** List vmboxes. */ list(options?: CallOptions): Records<VmboxRecord>;
/** Show one vmbox. */ get(vm_box_id: string, options?: CallOptions): Promise<VmboxRecord>;
/** Create a vmbox. */ create(data: VmboxInput, options?: CallOptions): Promise<VmboxRecord>;
/** Replace a vmbox: what is not sent is lost. */ update(vm_box_id: string, data: VmboxInput, options?: CallOptions): Promise<VmboxRecord>;
/** Change fields of a vmbox. */ patch(vm_box_id: string, data: VmboxChanges, options?: CallOptions): Promise<VmboxRecord>;
/** Delete a vmbox. */ delete(vm_box_id: string, options?: CallOptions): Promise<VmboxRecord>;
};
/** Messages in a voicemail box. */ readonly messages: {
/** List messages. */ list(vm_box_id: string, options?: CallOptions): Records<MessageRecord>;
/** Show one message. */ get(vm_box_id: string, message_id: string, options?: CallOptions): Promise<MessageRecord>;
/** Leave a message in a box. */ create(vm_box_id: string, data: MessageInput, options?: CallOptions): Promise<MessageRecord>;
/** Move a message. */ update(vm_box_id: string, message_id: string, data: MessageChanges, options?: CallOptions): Promise<MessageRecord>;
/** Delete a message. */ delete(vm_box_id: string, message_id: string, options?: CallOptions): Promise<MessageRecord>;
/** Move several messages to a folder. */ moveAll(vm_box_id: string, data: {
/** Ids of the messages; all of the box where left out */ readonly messages?: readonly (string)[];
/** Where it lies */ readonly folder?: "new" | "saved" | "deleted" | (string & {});
}, options?: CallOptions): Promise<{
/** Ids of the messages that it happened to */ readonly succeeded?: readonly (string)[];
/** Messages that it did not happen to */ readonly failed?: readonly ({ readonly [key: string]: unknown })[];
}>;
/** Delete the messages of a box. */ deleteAll(vm_box_id: string, options?: CallOptions<{ /** Only the messages in this folder */ readonly folder?: string; }>): Promise<{
/** Ids of the messages that it happened to */ readonly succeeded?: readonly (string)[];
/** Messages that it did not happen to */ readonly failed?: readonly ({ readonly [key: string]: unknown })[];
}>;
};
/** Faxes to send, and what became of them. */ readonly faxes: {
/** List faxes that wait or are being sent. */ list(options?: CallOptions): Records<FaxRecord>;
/** Show one fax that waits or is being sent. */ get(fax_id: string, options?: CallOptions): Promise<FaxRecord>;
/** Send a fax. */ create(data: FaxInput, options?: CallOptions): Promise<FaxRecord>;
/** Show one fax that was received. */ received(fax_id: string, options?: CallOptions): Promise<FaxRecord>;
/** Show one fax that was sent or failed. */ sent(fax_id: string, options?: CallOptions): Promise<FaxRecord>;
/** Delete a fax that was received. */ deleteReceived(fax_id: string, options?: CallOptions): Promise<FaxRecord>;
/** Delete a fax that was sent or failed. */ deleteSent(fax_id: string, options?: CallOptions): Promise<FaxRecord>;
/** Send a fax again, as a new job. */ resubmit(fax_id: string, options?: CallOptions): Promise<FaxRecord>;
/** List faxes that were received. */ inbox(options?: CallOptions<{ /** From here on, in Gregorian seconds; at most 31 days and an hour are shown */ readonly created_from?: string; /** Up to here, in Gregorian seconds; now where left out */ readonly created_to?: string; }>): Records<FaxRecord>;
/** List faxes that were sent or failed. */ outbox(options?: CallOptions<{ /** From here on, in Gregorian seconds; at most 31 days and an hour are shown */ readonly created_from?: string; /** Up to here, in Gregorian seconds; now where left out */ readonly created_to?: string; }>): Records<FaxRecord>;
};
/** Phone numbers: caller names, emergency addresses, where they are. */ readonly numbers: {
/** List numbers. */ list(options?: CallOptions): Records<NumberRecord>;
/** Show one number. */ get(phone_number: string, options?: CallOptions): Promise<NumberRecord>;
/** Add a number. */ create(phone_number: string, data: NumberInput, options?: CallOptions): Promise<NumberRecord>;
/** Replace a number: what is not sent is lost. */ update(phone_number: string, data: NumberInput, options?: CallOptions): Promise<NumberRecord>;
/** Change fields of a number. */ patch(phone_number: string, data: NumberChanges, options?: CallOptions): Promise<NumberRecord>;
/** Release a number. */ delete(phone_number: string, options?: CallOptions): Promise<NumberRecord>;
/** Put a number into service. */ activate(phone_number: string, data: NumberChanges, options?: CallOptions): Promise<NumberRecord>;
/** Reserve a number. */ reserve(phone_number: string, data: NumberChanges, options?: CallOptions): Promise<NumberRecord>;
/** Note that a number is being ported in. */ portIn(phone_number: string, data: NumberChanges, options?: CallOptions): Promise<NumberRecord>;
/** Find out where numbers are. */ locality(data: {
/** Numbers to look up */ readonly numbers?: readonly (string)[];
readonly [key: string]: unknown;
}, options?: CallOptions): Promise<NumberRecord>;
/** Find out what kind of number it is. */ classify(phone_number: string, options?: CallOptions): Promise<NumberRecord>;
};
/** Requests to port numbers. */ readonly ports: {
/** List port requests, by account. */ list(options?: CallOptions<{ /** active (the default), all, progressing, suspended, completed, or states with commas between */ readonly by_types?: string; /** Only the requests for this number */ readonly by_number?: string; }>): Records<PortRecord>;
/** Show one port request. */ get(port_request_id: string, options?: CallOptions): Promise<PortRecord>;
/** Create a port request. */ create(data: PortInput, options?: CallOptions): Promise<PortRecord>;
/** Replace a port request: what is not sent is lost. */ update(port_request_id: string, data: PortInput, options?: CallOptions): Promise<PortRecord>;
/** Change fields of a port request. */ patch(port_request_id: string, data: PortChanges, options?: CallOptions): Promise<PortRecord>;
/** Delete a port request. */ delete(port_request_id: string, options?: CallOptions): Promise<PortRecord>;
/** Submit a port request. */ submit(port_request_id: string, data: {
/** Why, for the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Why, for the timeline */ readonly reason?: string; }>): Promise<PortRecord>;
/** Take a submitted port request in hand. */ pend(port_request_id: string, data: {
/** Why, for the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Why, for the timeline */ readonly reason?: string; }>): Promise<PortRecord>;
/** Schedule a port request. */ schedule(port_request_id: string, data: PortChanges, options?: CallOptions): Promise<PortRecord>;
/** Complete a port request: its numbers are put into service. */ complete(port_request_id: string, data: {
/** Why, for the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Why, for the timeline */ readonly reason?: string; }>): Promise<PortRecord>;
/** Reject a port request. */ reject(port_request_id: string, data: {
/** Why, for the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Why, for the timeline */ readonly reason?: string; }>): Promise<PortRecord>;
/** Cancel a port request. */ cancel(port_request_id: string, data: {
/** Why, for the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Why, for the timeline */ readonly reason?: string; }>): Promise<PortRecord>;
/** Show what happened to a port request. */ timeline(port_request_id: string, options?: CallOptions): Promise<PortRecord | string | readonly unknown[]>;
/** Add a comment to a port request. */ comment(port_request_id: string, data: {
/** Comments */ readonly comments?: readonly ({
/** Account of the author */ readonly account_id?: string;
/** Somebody has to act (false where left out) */ readonly action_required?: boolean;
/** Author */ readonly author?: string;
/** What it says */ readonly content: string;
/** For the port authority only (false where left out) */ readonly is_private?: boolean;
/** When it was written, in Gregorian seconds */ readonly timestamp?: number;
/** User who wrote it */ readonly user_id?: string;
})[];
}, options?: CallOptions): Promise<{ readonly [key: string]: unknown }>;
};
/** The contact list, made from the callflows. */ readonly contacts: {
/** Show the contact list. */ get(options?: CallOptions): Promise<{ readonly [key: string]: unknown } | readonly ({
/** Name */ readonly name?: string;
/** Number to dial from outside */ readonly external_number?: string;
/** Extension */ readonly internal_number?: string;
})[]>;
};
/** Rules that choose resources for calls. */ readonly selectors: {
/** Show the rules. */ rules(options?: CallOptions): Promise<SelectorRecord>;
/** Replace the rules. */ updateRules(data: {
/** Steps, in their order */ readonly rules?: readonly ({ readonly [key: string]: unknown })[];
readonly [key: string]: unknown;
}, options?: CallOptions): Promise<SelectorRecord>;
/** List selectors. */ list(options?: CallOptions): Records<SelectorRecord>;
/** Show one selector. */ get(selector_id: string, options?: CallOptions): Promise<SelectorRecord>;
/** Replace a selector: what is not sent is lost. */ update(selector_id: string, data: SelectorInput, options?: CallOptions): Promise<SelectorRecord>;
/** Delete a selector. */ delete(selector_id: string, options?: CallOptions): Promise<SelectorRecord>;
};
/** Service plans and what differs from them. */ readonly services: {
/** Show the plans of an account. */ get(options?: CallOptions): Promise<ServiceRecord>;
/** Change the plans of an account. */ update(data?: ServiceInput, options?: CallOptions): Promise<void>;
/** Show what differs from the plans. */ overrides(options?: CallOptions): Promise<{ readonly [key: string]: unknown }>;
/** Set what differs from the plans. */ override(data?: { readonly [key: string]: unknown }, options?: CallOptions): Promise<void>;
/** Assign a plan to an account. */ assign(plan_id: string, data?: {
/** Account whose plan it is */ readonly vendor_id?: string;
/** What differs from the plans, by category and item */ readonly overrides?: { readonly [key: string]: unknown };
/** Contract */ readonly contract?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}, options?: CallOptions): Promise<void>;
/** Take a plan from an account. */ unassign(plan_id: string, options?: CallOptions): Promise<ServiceRecord>;
};
/** Flat-rate trunks and hard limits on calls. */ readonly limits: {
/** Show the call limits of an account. */ get(options?: CallOptions): Promise<LimitRecord>;
/** Replace the call limits of an account; more trunks can add charges. */ set(data: {
/** Allow per-minute calls when no credit is available (true where left out) */ readonly allow_prepay?: boolean;
/** Resource types that authorize a call, past limits and billing ([] where left out) */ readonly authz_resource_types?: readonly (string)[];
/** Two-way flat-rate trunks used only if no other trunk is free */ readonly burst_trunks?: number;
/** Hard limit on all calls */ readonly calls?: number;
/** Inbound flat-rate trunks */ readonly inbound_trunks?: number;
/** Outbound flat-rate trunks */ readonly outbound_trunks?: number;
/** Hard limit on calls that consume resources */ readonly resource_consuming_calls?: number;
/** Two-way flat-rate trunks */ readonly twoway_trunks?: number;
/** Accept the charges that the change adds */ readonly accept_charges?: boolean;
}, options?: CallOptions): Promise<LimitRecord>;
};
/** Subscriptions to events. */ readonly webhooks: {
/** List what can be subscribed to. */ hooks(options?: CallOptions): Records<{
/** Id to subscribe to */ readonly id?: string;
/** Name */ readonly name?: string;
/** When it fires */ readonly description?: string;
/** What can be chosen within it */ readonly modifiers?: { readonly [key: string]: unknown };
}>;
/** List the samples of events. */ samples(options?: CallOptions): Promise<readonly (string)[]>;
/** Show what the events of a hook look like. */ sample(sample_name: string, options?: CallOptions): Records<{ readonly [key: string]: unknown }>;
/** List webhooks. */ list(options?: CallOptions): Records<WebhookRecord>;
/** Show one webhook. */ get(webhook_id: string, options?: CallOptions): Promise<WebhookRecord>;
/** Create a webhook. */ create(data: WebhookInput, options?: CallOptions): Promise<WebhookRecord>;
/** Replace a webhook: what is not sent is lost. */ update(webhook_id: string, data: WebhookInput, options?: CallOptions): Promise<WebhookRecord>;
/** Change fields of a webhook. */ patch(webhook_id: string, data: WebhookChanges, options?: CallOptions): Promise<WebhookRecord>;
/** Delete a webhook. */ delete(webhook_id: string, options?: CallOptions): Promise<WebhookRecord>;
/** List the deliveries of a webhook. */ attempts(webhook_id: string, options?: CallOptions<{ /** From here on, in Gregorian seconds; at most 31 days and an hour are shown */ readonly created_from?: string; /** Up to here, in Gregorian seconds; now where left out */ readonly created_to?: string; }>): Records<{
/** Webhook */ readonly hook_id?: string;
/** Event */ readonly hook_event?: string;
/** How it went */ readonly result?: "success" | "failure" | (string & {});
/** When, in Gregorian seconds */ readonly timestamp?: number;
/** Id of the event */ readonly event_id?: string;
/** Where it was sent */ readonly uri?: string;
/** Method of the request */ readonly method?: string;
/** Headers of the request */ readonly req_headers?: { readonly [key: string]: unknown };
/** Body of the request */ readonly req_body?: string;
/** Status of the reply */ readonly resp_status_code?: number;
/** Headers of the reply */ readonly resp_headers?: { readonly [key: string]: unknown };
/** Body of the reply */ readonly resp_body?: string;
/** Why it failed */ readonly reason?: string;
/** What the connection failed of */ readonly client_error?: string;
/** Retries asked for */ readonly retries?: number;
/** Retries left */ readonly retries_left?: number | string;
/** Which try it was */ readonly try?: number;
/** Properties merged into the payload */ readonly custom_data?: { readonly [key: string]: unknown };
}>;
/** List the deliveries of all webhooks of an account. */ attemptsAll(options?: CallOptions<{ /** From here on, in Gregorian seconds; at most 31 days and an hour are shown */ readonly created_from?: string; /** Up to here, in Gregorian seconds; now where left out */ readonly created_to?: string; }>): Records<{
/** Webhook */ readonly hook_id?: string;
/** Event */ readonly hook_event?: string;
/** How it went */ readonly result?: "success" | "failure" | (string & {});
/** When, in Gregorian seconds */ readonly timestamp?: number;
/** Id of the event */ readonly event_id?: string;
/** Where it was sent */ readonly uri?: string;
/** Method of the request */ readonly method?: string;
/** Headers of the request */ readonly req_headers?: { readonly [key: string]: unknown };
/** Body of the request */ readonly req_body?: string;
/** Status of the reply */ readonly resp_status_code?: number;
/** Headers of the reply */ readonly resp_headers?: { readonly [key: string]: unknown };
/** Body of the reply */ readonly resp_body?: string;
/** Why it failed */ readonly reason?: string;
/** What the connection failed of */ readonly client_error?: string;
/** Retries asked for */ readonly retries?: number;
/** Retries left */ readonly retries_left?: number | string;
/** Which try it was */ readonly try?: number;
/** Properties merged into the payload */ readonly custom_data?: { readonly [key: string]: unknown };
}>;
/** Turn on all webhooks that the service disabled. */ reEnable(data: {
/** Turn on what the service disabled */ readonly "re-enable"?: boolean;
}, options?: CallOptions): Promise<string>;
/** Turn on all webhooks that the service disabled in the accounts below. */ reEnableDescendants(data: {
/** Turn on what the service disabled */ readonly "re-enable"?: boolean;
}, options?: CallOptions): Promise<string>;
};
/** Sign-in, tokens and the secrets that sign them. */ readonly tokens: {
/** End all tokens of the service. */ resetSystemSecret(options?: CallOptions): Promise<void>;
/** End the tokens that were got with an account's API key; those of its users live on. */ resetAccountSecret(options?: CallOptions): Promise<void>;
/** End the tokens of a user. */ resetUserSecret(user_id: string, options?: CallOptions): Promise<void>;
/** Exchange a token for a new one. */ refresh(options?: CallOptions): Promise<{
/** Account */ readonly account_id?: string;
/** User */ readonly owner_id?: string;
/** Language */ readonly language?: string;
/** The account sells to those below it */ readonly is_reseller?: boolean;
/** Name of the account */ readonly account_name?: string;
/** Account that sells to it */ readonly reseller_id?: string;
/** Applications that the user may open */ readonly apps?: readonly (unknown)[];
}>;
/** Sign in with a code from an SSO provider; nothing comes back while no link exists. */ callback(data: {
/** Application id at the provider */ readonly client_id?: string;
/** Access code from the provider */ readonly code?: string;
/** Provider */ readonly provider?: string;
/** Where the provider sent the code */ readonly redirect_uri?: string;
/** State handed to the provider */ readonly state?: string;
/** PKCE's verifier, for the exchange of the code */ readonly code_verifier?: string;
/** Nonce that the ID token must carry */ readonly nonce?: string;
}, options?: CallOptions): Promise<{
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account that sells to it */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user may open */ readonly apps?: readonly (unknown)[];
/** How the token was got */ readonly method?: string;
/** The account sells to those below it */ readonly is_reseller?: boolean;
/** The account is the first of the service */ readonly is_master_account?: boolean;
}>;
/** Validate and authorize a foreign SSO token or application. */ authorize(data: {
/** Token of the provider */ readonly token?: string;
/** Provider */ readonly provider?: string;
/** Application that the token was made out to */ readonly app?: string;
readonly [key: string]: unknown;
}, options?: CallOptions): Promise<{
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account that sells to it */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user may open */ readonly apps?: readonly (unknown)[];
/** How the token was got */ readonly method?: string;
/** The account sells to those below it */ readonly is_reseller?: boolean;
/** The account is the first of the service */ readonly is_master_account?: boolean;
}>;
/** Show what a token says; the token stands in the address. */ infoByQuery(options: CallOptions<{ /** Token to look at */ readonly token: string; }> & { readonly query: unknown }): Promise<{
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account that sells to it */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user may open */ readonly apps?: readonly (unknown)[];
/** How the token was got */ readonly method?: string;
/** The account sells to those below it */ readonly is_reseller?: boolean;
/** The account is the first of the service */ readonly is_master_account?: boolean;
}>;
/** Show what a token says. */ info(data: {
/** A token */ readonly token?: string;
}, options?: CallOptions): Promise<{
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account that sells to it */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user may open */ readonly apps?: readonly (unknown)[];
/** How the token was got */ readonly method?: string;
/** The account sells to those below it */ readonly is_reseller?: boolean;
/** The account is the first of the service */ readonly is_master_account?: boolean;
}>;
};
/** SSO applications. */ readonly apps: {
/** List SSO applications. */ list(options?: CallOptions<{ /** Account whose applications are listed */ readonly account_id?: string; }>): Records<AppRecord>;
/** Show one SSO application. */ get(app_id: string, options?: CallOptions): Promise<AppRecord>;
/** Create an SSO application. */ create(data: AppInput, options?: CallOptions): Promise<AppRecord>;
/** Replace an SSO application: what is not sent is lost. */ update(app_id: string, data: AppInput, options?: CallOptions): Promise<AppRecord>;
/** Delete an SSO application. */ delete(app_id: string, options?: CallOptions): Promise<AppRecord>;
/** List SSO applications of an account. */ listOfAccount(options?: CallOptions): Records<AppRecord>;
};
/** SSO providers. */ readonly providers: {
/** List SSO providers. */ list(options?: CallOptions): Records<ProviderRecord>;
/** Show one SSO provider. */ get(provider_id: string, options?: CallOptions): Promise<ProviderRecord>;
/** Replace an SSO provider: what is not sent is lost. */ update(provider_id: string, data: ProviderInput, options?: CallOptions): Promise<ProviderRecord>;
/** Delete an SSO provider. */ delete(provider_id: string, options?: CallOptions): Promise<ProviderRecord>;
};
/** The signed-in user's links to SSO applications. */ readonly links: {
/** List links. */ list(options?: CallOptions): Records<LinkRecord>;
/** Show one link. */ get(link_id: string, options?: CallOptions): Promise<LinkRecord>;
/** Unlink the user from an SSO application. */ delete(link_id: string, options?: CallOptions): Promise<LinkRecord>;
/** Link the user to an SSO application. */ link(link_id: string, data: { readonly [key: string]: unknown }, options?: CallOptions): Promise<LinkRecord>;
};
/** Keys that sign tokens. */ readonly keys: {
/** List the ids of the signing keys. */ list(options?: CallOptions): Promise<readonly (string)[]>;
/** Show a public key. */ get(key_id: string, options: CallOptions & { readonly accept: "application/x-pem-file" }): Promise<string>;
/** Show a public key. */ get(key_id: string, options?: CallOptions): Promise<KeyRecord>;
/** Replace the private key; ends all tokens of the service. */ reset(key_id: string, options?: CallOptions): Promise<void>;
};
}
/** An account */
export interface AccountRecord {
/** Id */ readonly id: string;
/** Name */ readonly name?: string;
/** SIP realm, unique in the whole service */ readonly realm?: string;
/** Organization */ readonly org?: string;
/** Language, such as en-US */ readonly language?: string;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Users may sign in and place calls */ readonly enabled?: boolean;
/** Recording on the account and on its endpoints */ readonly call_recording?: {
/** Recording by direction of the call */ readonly account?: {
/** Recording settings by where the call comes from */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
};
/** Recording by direction of the call */ readonly endpoint?: {
/** Recording settings by where the call comes from */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
};
};
/** Restrictions by classifier: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: unknown };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** What is hidden on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
/** Show the rate of the call */ readonly show_rate?: boolean;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: {
/** Shared dial plans to apply */ readonly system?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: readonly ({
/** Calls it applies to */ readonly direction?: "inbound" | "outbound" | "both" | (string & {});
/** Use the invite format of the endpoint */ readonly match_invite_format?: boolean;
/** Put before the match */ readonly prefix?: string;
/** Expression that selects what is kept */ readonly regex?: string;
/** Remove the field */ readonly strip?: boolean;
/** Put after the match */ readonly suffix?: string;
/** Replace by this value */ readonly value?: string;
})[] };
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Which leg may dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Notices to the account */ readonly notifications?: {
/** Notices about first events */ readonly first_occurrence?: {
/** Notice of the first call was sent */ readonly sent_initial_call?: boolean;
/** Notice of the first registration was sent */ readonly sent_initial_registration?: boolean;
};
/** Notices about a low balance */ readonly low_balance?: {
/** Send notices */ readonly enabled?: boolean;
/** When the last notice was sent */ readonly last_notification?: number;
/** A notice was sent */ readonly sent_low_balance?: boolean;
/** Amount */ readonly threshold?: number | number;
};
};
/** Callflow before all others */ readonly preflow?: {
/** Callflow that every call passes first */ readonly always?: string;
};
/** Ring tones */ readonly ringtones?: {
/** For calls inside the account */ readonly internal?: string;
/** For calls from outside */ readonly external?: string;
readonly [key: string]: unknown;
};
/** Automatic top-up */ readonly topup?: {
/** Amount */ readonly threshold?: number | number;
};
/** Voicemail settings */ readonly voicemail?: {
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** How often to try */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between tries */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each try */ readonly schedule?: readonly (number)[];
/** Seconds to let it ring */ readonly timeout_s?: number;
};
};
};
/** Zones: home */ readonly zones?: { readonly [key: string]: unknown };
/** How many accounts are below it */ readonly descendants_count?: number;
/** Accounts above it, from the top */ readonly tree?: readonly (string)[];
/** When it was made, in Gregorian seconds */ readonly created?: number;
/** Sells to the accounts below it */ readonly is_reseller?: boolean;
/** Account that sells to it */ readonly reseller_id?: string;
/** Belongs to the super administrator */ readonly superduper_admin?: boolean;
/** May add numbers */ readonly wnm_allow_additions?: boolean;
/** How it is billed */ readonly billing_mode?: string;
/** How notices are made */ readonly notification_preference?: string;
/** Seconds left of the trial */ readonly trial_time_left?: number;
}
/** An account */
export interface AccountChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** SIP realm, unique in the whole service */ readonly realm?: string | null;
/** Organization */ readonly org?: string | null;
/** Language, such as en-US */ readonly language?: string | null;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string | null;
/** Users may sign in and place calls */ readonly enabled?: boolean | null;
/** Recording on the account and on its endpoints */ readonly call_recording?: {
/** Recording by direction of the call */ readonly account?: {
/** Recording settings by where the call comes from */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings by where the call comes from */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings by where the call comes from */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
} | null;
} | null;
/** Recording by direction of the call */ readonly endpoint?: {
/** Recording settings by where the call comes from */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings by where the call comes from */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings by where the call comes from */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
} | null;
} | null;
} | null;
/** Restrictions by classifier: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: unknown } | null;
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name shown */ readonly name?: string | null;
/** Number shown */ readonly number?: string | null;
/** Realm of the asserted identity */ readonly realm?: string | null;
} | null;
/** Shown on emergency calls */ readonly emergency?: {
/** Name shown */ readonly name?: string | null;
/** Number shown */ readonly number?: string | null;
} | null;
/** Shown outside the account */ readonly external?: {
/** Name shown */ readonly name?: string | null;
/** Number shown */ readonly number?: string | null;
} | null;
/** Shown inside the account */ readonly internal?: {
/** Name shown */ readonly name?: string | null;
/** Number shown */ readonly number?: string | null;
} | null;
} | null;
/** Caller id options */ readonly caller_id_options?: {
/** What is hidden on outbound calls */ readonly outbound_privacy?: string | null;
/** Show the rate of the call */ readonly show_rate?: boolean | null;
} | null;
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: {
/** Shared dial plans to apply */ readonly system?: readonly (string)[] | null;
readonly [key: string]: unknown;
} | null;
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Free words to filter by */ readonly flags?: readonly (string)[] | null;
/** Formatters by field */ readonly formatters?: { readonly [key: string]: readonly ({
/** Calls it applies to */ readonly direction?: "inbound" | "outbound" | "both" | (string & {});
/** Use the invite format of the endpoint */ readonly match_invite_format?: boolean;
/** Put before the match */ readonly prefix?: string;
/** Expression that selects what is kept */ readonly regex?: string;
/** Remove the field */ readonly strip?: boolean;
/** Put after the match */ readonly suffix?: string;
/** Replace by this value */ readonly value?: string;
})[] | null } | null;
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow */ readonly binding_digit?: string | null;
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number | null;
/** Which leg may dial */ readonly listen_on?: string | null;
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown } | null;
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown } | null;
} | null;
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string | null;
readonly [key: string]: unknown;
} | null;
/** Notices to the account */ readonly notifications?: {
/** Notices about first events */ readonly first_occurrence?: {
/** Notice of the first call was sent */ readonly sent_initial_call?: boolean | null;
/** Notice of the first registration was sent */ readonly sent_initial_registration?: boolean | null;
} | null;
/** Notices about a low balance */ readonly low_balance?: {
/** Send notices */ readonly enabled?: boolean | null;
/** When the last notice was sent */ readonly last_notification?: number | null;
/** A notice was sent */ readonly sent_low_balance?: boolean | null;
/** Amount */ readonly threshold?: number | number | null;
} | null;
} | null;
/** Callflow before all others */ readonly preflow?: {
/** Callflow that every call passes first */ readonly always?: string | null;
} | null;
/** Ring tones */ readonly ringtones?: {
/** For calls inside the account */ readonly internal?: string | null;
/** For calls from outside */ readonly external?: string | null;
readonly [key: string]: unknown;
} | null;
/** Automatic top-up */ readonly topup?: {
/** Amount */ readonly threshold?: number | number | null;
} | null;
/** Voicemail settings */ readonly voicemail?: {
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** How often to try */ readonly attempts?: number | null;
/** Do not call back */ readonly disabled?: boolean | null;
/** Seconds between tries */ readonly interval_s?: number | null;
/** Number to call */ readonly number?: string | null;
/** Seconds to wait before each try */ readonly schedule?: readonly (number)[] | null;
/** Seconds to let it ring */ readonly timeout_s?: number | null;
} | null;
} | null;
} | null;
/** Zones: home */ readonly zones?: { readonly [key: string]: unknown } | null;
/** How many accounts are below it */ readonly descendants_count?: number | null;
/** Accounts above it, from the top */ readonly tree?: readonly (string)[] | null;
/** When it was made, in Gregorian seconds */ readonly created?: number | null;
/** Sells to the accounts below it */ readonly is_reseller?: boolean | null;
/** Account that sells to it */ readonly reseller_id?: string | null;
/** Belongs to the super administrator */ readonly superduper_admin?: boolean | null;
/** May add numbers */ readonly wnm_allow_additions?: boolean | null;
/** How it is billed */ readonly billing_mode?: string | null;
/** How notices are made */ readonly notification_preference?: string | null;
/** Seconds left of the trial */ readonly trial_time_left?: number | null;
}
/** An account */
export interface AccountInput {
/** Name */ readonly name: string;
/** SIP realm, unique in the whole service */ readonly realm?: string;
/** Organization */ readonly org?: string;
/** Language, such as en-US */ readonly language?: string;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Users may sign in and place calls (true where left out) */ readonly enabled?: boolean;
/** Recording on the account and on its endpoints */ readonly call_recording?: {
/** Recording by direction of the call */ readonly account?: {
/** Recording settings by where the call comes from */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
};
/** Recording by direction of the call */ readonly endpoint?: {
/** Recording settings by where the call comes from */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
};
};
/** Restrictions by classifier: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: unknown };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** What is hidden on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
/** Show the rate of the call */ readonly show_rate?: boolean;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: {
/** Shared dial plans to apply */ readonly system?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: readonly ({
/** Calls it applies to */ readonly direction?: "inbound" | "outbound" | "both" | (string & {});
/** Use the invite format of the endpoint */ readonly match_invite_format?: boolean;
/** Put before the match */ readonly prefix?: string;
/** Expression that selects what is kept */ readonly regex?: string;
/** Remove the field */ readonly strip?: boolean;
/** Put after the match */ readonly suffix?: string;
/** Replace by this value */ readonly value?: string;
})[] };
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow ("*" where left out) */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Which leg may dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Notices to the account */ readonly notifications?: {
/** Notices about first events */ readonly first_occurrence?: {
/** Notice of the first call was sent (false where left out) */ readonly sent_initial_call?: boolean;
/** Notice of the first registration was sent (false where left out) */ readonly sent_initial_registration?: boolean;
};
/** Notices about a low balance */ readonly low_balance?: {
/** Send notices */ readonly enabled?: boolean;
/** When the last notice was sent */ readonly last_notification?: number;
/** A notice was sent */ readonly sent_low_balance?: boolean;
/** Amount */ readonly threshold?: number | number;
};
};
/** Callflow before all others */ readonly preflow?: {
/** Callflow that every call passes first */ readonly always?: string;
};
/** Ring tones */ readonly ringtones?: {
/** For calls inside the account */ readonly internal?: string;
/** For calls from outside */ readonly external?: string;
readonly [key: string]: unknown;
};
/** Automatic top-up */ readonly topup?: {
/** Amount */ readonly threshold?: number | number;
};
/** Voicemail settings */ readonly voicemail?: {
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** How often to try */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between tries */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each try */ readonly schedule?: readonly (number)[];
/** Seconds to let it ring */ readonly timeout_s?: number;
};
};
};
/** Zones: home */ readonly zones?: { readonly [key: string]: unknown };
}
/** An SSO application */
export interface AppRecord {
/** Id */ readonly id: string;
/** Application id at the provider */ readonly client_id?: string;
/** Provider */ readonly provider?: string;
/** Secret of the application at the provider */ readonly secret?: string;
/** E-mail address */ readonly email?: string;
/** Name */ readonly name?: string;
/** What it is for */ readonly description?: string;
/** Account that owns it */ readonly account_id?: string;
}
/** An SSO application */
export interface AppInput {
/** Application id at the provider */ readonly client_id: string;
/** Provider */ readonly provider: string;
/** Secret of the application at the provider */ readonly secret: string;
/** E-mail address */ readonly email?: string;
/** Name */ readonly name?: string;
/** What it is for */ readonly description?: string;
}
/** A callflow */
export interface CallflowRecord {
/** Id */ readonly id: string;
/** Name */ readonly name?: string;
/** Numbers and extensions that lead here */ readonly numbers?: readonly (string)[];
/** Regular expressions for numbers that lead here */ readonly patterns?: readonly (string)[];
readonly flow?: FlowNode;
/** Feature code that the callflow is */ readonly featurecode?: {
/** Name of the feature */ readonly name?: string;
/** Code to dial */ readonly number?: string;
};
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** What callers can dial during a call */ readonly metaflow?: {
/** Key that starts a metaflow */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Which leg may dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** What the caller hears */ readonly ringback?: {
/** Played while it rings */ readonly early?: string;
/** Played during a transfer */ readonly transfer?: string;
};
/** What the program that made it uses it for: mainUserCallflow, main, conference, … */ readonly type?: string;
/** User whom it belongs to */ readonly owner_id?: string;
/** Group that it belongs to */ readonly group_id?: string;
/** Modules of the flow */ readonly modules?: readonly (string)[];
/** Names of the records that the flow refers to */ readonly metadata?: { readonly [key: string]: unknown };
}
/** A callflow */
export interface CallflowChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Numbers and extensions that lead here */ readonly numbers?: readonly (string)[] | null;
/** Regular expressions for numbers that lead here */ readonly patterns?: readonly (string)[] | null;
readonly flow?: FlowNodeChanges;
/** Feature code that the callflow is */ readonly featurecode?: {
/** Name of the feature */ readonly name?: string | null;
/** Code to dial */ readonly number?: string | null;
} | null;
/** Free words to filter by */ readonly flags?: readonly (string)[] | null;
/** What callers can dial during a call */ readonly metaflow?: {
/** Key that starts a metaflow */ readonly binding_digit?: string | null;
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number | null;
/** Which leg may dial */ readonly listen_on?: string | null;
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown } | null;
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown } | null;
} | null;
/** What the caller hears */ readonly ringback?: {
/** Played while it rings */ readonly early?: string | null;
/** Played during a transfer */ readonly transfer?: string | null;
} | null;
/** What the program that made it uses it for: mainUserCallflow, main, conference, … */ readonly type?: string | null;
/** User whom it belongs to */ readonly owner_id?: string | null;
/** Group that it belongs to */ readonly group_id?: string | null;
/** Modules of the flow */ readonly modules?: readonly (string)[] | null;
/** Names of the records that the flow refers to */ readonly metadata?: { readonly [key: string]: unknown } | null;
}
/** A callflow */
export interface CallflowInput {
/** Name */ readonly name?: string;
/** Numbers and extensions that lead here */ readonly numbers?: readonly (string)[];
/** Regular expressions for numbers that lead here */ readonly patterns?: readonly (string)[];
readonly flow?: FlowNodeInput;
/** Feature code that the callflow is */ readonly featurecode?: {
/** Name of the feature */ readonly name?: string;
/** Code to dial */ readonly number?: string;
};
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** What callers can dial during a call */ readonly metaflow?: {
/** Key that starts a metaflow ("*" where left out) */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Which leg may dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** What the caller hears */ readonly ringback?: {
/** Played while it rings */ readonly early?: string;
/** Played during a transfer */ readonly transfer?: string;
};
/** What the program that made it uses it for: mainUserCallflow, main, conference, … */ readonly type?: string;
/** User whom it belongs to */ readonly owner_id?: string;
/** Group that it belongs to */ readonly group_id?: string;
}
/** A conference */
export interface ConferenceRecord {
/** Id */ readonly id: string;
/** Name */ readonly name?: string;
/** Password of the conference bridge */ readonly bridge_password?: string;
/** User of the conference bridge */ readonly bridge_username?: string;
/** Keys for members */ readonly caller_controls?: string;
/** Numbers to dial */ readonly conference_numbers?: readonly (string)[];
/** What the keys do */ readonly controls?: { readonly [key: string]: unknown };
/** Domain */ readonly domain?: string;
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Server that holds the conference */ readonly focus?: string;
/** Language of the prompts */ readonly language?: string;
/** Played when it is full */ readonly max_members_media?: string;
/** Most participants */ readonly max_participants?: number;
/** Settings for members */ readonly member?: {
/** Join without hearing */ readonly join_deaf?: boolean;
/** Join muted */ readonly join_muted?: boolean;
/** Numbers to dial */ readonly numbers?: readonly (string)[];
/** PINs, one of which is asked for */ readonly pins?: readonly (string)[];
/** Announce who joins */ readonly play_entry_prompt?: boolean;
readonly [key: string]: unknown;
};
/** Settings for moderators */ readonly moderator?: {
/** Join without hearing */ readonly join_deaf?: boolean;
/** Join muted */ readonly join_muted?: boolean;
/** Numbers to dial */ readonly numbers?: readonly (string)[];
/** PINs, one of which is asked for */ readonly pins?: readonly (string)[];
/** Announce who joins */ readonly play_entry_prompt?: boolean;
readonly [key: string]: unknown;
};
/** Keys for moderators */ readonly moderator_controls?: string;
/** User who owns it */ readonly owner_id?: string;
/** Play a tone when somebody joins */ readonly play_entry_tone?: boolean | string;
/** Play a tone when somebody leaves */ readonly play_exit_tone?: boolean | string;
/** Announce names */ readonly play_name?: boolean;
/** Welcome callers */ readonly play_welcome?: boolean;
/** Profile of the conference bridge */ readonly profile?: {
/** Played to whoever is alone */ readonly "alone-sound"?: string;
/** Announce how many there are, from this many on */ readonly "announce-count"?: number;
/** Keys for members */ readonly "caller-controls"?: string;
/** Level of comfort noise */ readonly "comfort-noise"?: number;
/** Level that counts as speech */ readonly "energy-level"?: number;
/** Played when somebody joins */ readonly "enter-sound"?: string;
/** Played when somebody leaves */ readonly "exit-sound"?: string;
/** Milliseconds a frame */ readonly interval?: number;
/** Played when the conference is locked */ readonly "locked-sound"?: string;
/** Most members */ readonly "max-members"?: number;
/** Played when it is full */ readonly "max-members-sound"?: string;
/** Keys for moderators */ readonly "moderator-controls"?: string;
/** Music on hold */ readonly "moh-sound"?: string;
/** Played on muting */ readonly "muted-sound"?: string;
/** Sample rate in hertz */ readonly rate?: number;
/** Played on unmuting */ readonly "unmuted-sound"?: string;
};
/** Profile that the service knows by name */ readonly profile_name?: string;
/** Only with a moderator */ readonly require_moderator?: boolean;
/** Hold members until a moderator is there */ readonly wait_for_moderator?: boolean;
/** Flags of user interfaces */ readonly ui_flags?: { readonly [key: string]: unknown };
}
/** A conference */
export interface ConferenceChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Password of the conference bridge */ readonly bridge_password?: string | null;
/** User of the conference bridge */ readonly bridge_username?: string | null;
/** Keys for members */ readonly caller_controls?: string | null;
/** Numbers to dial */ readonly conference_numbers?: readonly (string)[] | null;
/** What the keys do */ readonly controls?: { readonly [key: string]: unknown } | null;
/** Domain */ readonly domain?: string | null;
/** Free words to filter by */ readonly flags?: readonly (string)[] | null;
/** Server that holds the conference */ readonly focus?: string | null;
/** Language of the prompts */ readonly language?: string | null;
/** Played when it is full */ readonly max_members_media?: string | null;
/** Most participants */ readonly max_participants?: number | null;
/** Settings for members */ readonly member?: {
/** Join without hearing */ readonly join_deaf?: boolean | null;
/** Join muted */ readonly join_muted?: boolean | null;
/** Numbers to dial */ readonly numbers?: readonly (string)[] | null;
/** PINs, one of which is asked for */ readonly pins?: readonly (string)[] | null;
/** Announce who joins */ readonly play_entry_prompt?: boolean | null;
readonly [key: string]: unknown;
} | null;
/** Settings for moderators */ readonly moderator?: {
/** Join without hearing */ readonly join_deaf?: boolean | null;
/** Join muted */ readonly join_muted?: boolean | null;
/** Numbers to dial */ readonly numbers?: readonly (string)[] | null;
/** PINs, one of which is asked for */ readonly pins?: readonly (string)[] | null;
/** Announce who joins */ readonly play_entry_prompt?: boolean | null;
readonly [key: string]: unknown;
} | null;
/** Keys for moderators */ readonly moderator_controls?: string | null;
/** User who owns it */ readonly owner_id?: string | null;
/** Play a tone when somebody joins */ readonly play_entry_tone?: boolean | string | null;
/** Play a tone when somebody leaves */ readonly play_exit_tone?: boolean | string | null;
/** Announce names */ readonly play_name?: boolean | null;
/** Welcome callers */ readonly play_welcome?: boolean | null;
/** Profile of the conference bridge */ readonly profile?: {
/** Played to whoever is alone */ readonly "alone-sound"?: string | null;
/** Announce how many there are, from this many on */ readonly "announce-count"?: number | null;
/** Keys for members */ readonly "caller-controls"?: string | null;
/** Level of comfort noise */ readonly "comfort-noise"?: number | null;
/** Level that counts as speech */ readonly "energy-level"?: number | null;
/** Played when somebody joins */ readonly "enter-sound"?: string | null;
/** Played when somebody leaves */ readonly "exit-sound"?: string | null;
/** Milliseconds a frame */ readonly interval?: number | null;
/** Played when the conference is locked */ readonly "locked-sound"?: string | null;
/** Most members */ readonly "max-members"?: number | null;
/** Played when it is full */ readonly "max-members-sound"?: string | null;
/** Keys for moderators */ readonly "moderator-controls"?: string | null;
/** Music on hold */ readonly "moh-sound"?: string | null;
/** Played on muting */ readonly "muted-sound"?: string | null;
/** Sample rate in hertz */ readonly rate?: number | null;
/** Played on unmuting */ readonly "unmuted-sound"?: string | null;
} | null;
/** Profile that the service knows by name */ readonly profile_name?: string | null;
/** Only with a moderator */ readonly require_moderator?: boolean | null;
/** Hold members until a moderator is there */ readonly wait_for_moderator?: boolean | null;
/** Flags of user interfaces */ readonly ui_flags?: { readonly [key: string]: unknown } | null;
}
/** A conference */
export interface ConferenceInput {
/** Name */ readonly name: string;
/** Password of the conference bridge */ readonly bridge_password?: string;
/** User of the conference bridge */ readonly bridge_username?: string;
/** Keys for members */ readonly caller_controls?: string;
/** Numbers to dial */ readonly conference_numbers?: readonly (string)[];
/** What the keys do */ readonly controls?: { readonly [key: string]: unknown };
/** Domain */ readonly domain?: string;
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Server that holds the conference */ readonly focus?: string;
/** Language of the prompts */ readonly language?: string;
/** Played when it is full */ readonly max_members_media?: string;
/** Most participants */ readonly max_participants?: number;
/** Settings for members */ readonly member?: {
/** Join without hearing (false where left out) */ readonly join_deaf?: boolean;
/** Join muted (true where left out) */ readonly join_muted?: boolean;
/** Numbers to dial */ readonly numbers?: readonly (string)[];
/** PINs, one of which is asked for */ readonly pins?: readonly (string)[];
/** Announce who joins */ readonly play_entry_prompt?: boolean;
readonly [key: string]: unknown;
};
/** Settings for moderators */ readonly moderator?: {
/** Join without hearing (false where left out) */ readonly join_deaf?: boolean;
/** Join muted (false where left out) */ readonly join_muted?: boolean;
/** Numbers to dial */ readonly numbers?: readonly (string)[];
/** PINs, one of which is asked for */ readonly pins?: readonly (string)[];
/** Announce who joins */ readonly play_entry_prompt?: boolean;
readonly [key: string]: unknown;
};
/** Keys for moderators */ readonly moderator_controls?: string;
/** User who owns it */ readonly owner_id?: string;
/** Play a tone when somebody joins */ readonly play_entry_tone?: boolean | string;
/** Play a tone when somebody leaves */ readonly play_exit_tone?: boolean | string;
/** Announce names (false where left out) */ readonly play_name?: boolean;
/** Welcome callers */ readonly play_welcome?: boolean;
/** Profile of the conference bridge */ readonly profile?: {
/** Played to whoever is alone */ readonly "alone-sound"?: string;
/** Announce how many there are, from this many on */ readonly "announce-count"?: number;
/** Keys for members */ readonly "caller-controls"?: string;
/** Level of comfort noise */ readonly "comfort-noise"?: number;
/** Level that counts as speech */ readonly "energy-level"?: number;
/** Played when somebody joins */ readonly "enter-sound"?: string;
/** Played when somebody leaves */ readonly "exit-sound"?: string;
/** Milliseconds a frame */ readonly interval?: number;
/** Played when the conference is locked */ readonly "locked-sound"?: string;
/** Most members */ readonly "max-members"?: number;
/** Played when it is full */ readonly "max-members-sound"?: string;
/** Keys for moderators */ readonly "moderator-controls"?: string;
/** Music on hold */ readonly "moh-sound"?: string;
/** Played on muting */ readonly "muted-sound"?: string;
/** Sample rate in hertz */ readonly rate?: number;
/** Played on unmuting */ readonly "unmuted-sound"?: string;
};
/** Profile that the service knows by name */ readonly profile_name?: string;
/** Only with a moderator */ readonly require_moderator?: boolean;
/** Hold members until a moderator is there */ readonly wait_for_moderator?: boolean;
/** Flags of user interfaces */ readonly ui_flags?: { readonly [key: string]: unknown };
}
/** A contact */
export interface ContactRecord {
/** Name */ readonly name?: string;
/** Number to dial from outside */ readonly external_number?: string;
/** Extension */ readonly internal_number?: string;
}
/** A directory */
export interface DirectoryRecord {
/** Id */ readonly id: string;
/** Name */ readonly name?: string;
/** Ask before connecting */ readonly confirm_match?: boolean;
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Most keys that a caller presses; 0 for any */ readonly max_dtmf?: number;
/** Fewest keys that a caller presses */ readonly min_dtmf?: number;
/** Names that are searched */ readonly search_fields?: "first_name" | "last_name" | "both" | (string & {});
/** Order of the matches */ readonly sort_by?: "first_name" | "last_name" | (string & {});
/** Users in it, and the callflow that reaches each */ readonly users?: readonly (unknown)[];
}
/** A directory */
export interface DirectoryChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Ask before connecting */ readonly confirm_match?: boolean | null;
/** Free words to filter by */ readonly flags?: readonly (string)[] | null;
/** Most keys that a caller presses; 0 for any */ readonly max_dtmf?: number | null;
/** Fewest keys that a caller presses */ readonly min_dtmf?: number | null;
/** Names that are searched */ readonly search_fields?: string | null;
/** Order of the matches */ readonly sort_by?: string | null;
/** Users in it, and the callflow that reaches each */ readonly users?: readonly (unknown)[] | null;
}
/** A directory */
export interface DirectoryInput {
/** Name */ readonly name: string;
/** Ask before connecting (true where left out) */ readonly confirm_match?: boolean;
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Most keys that a caller presses; 0 for any (0 where left out) */ readonly max_dtmf?: number;
/** Fewest keys that a caller presses (3 where left out) */ readonly min_dtmf?: number;
/** Names that are searched */ readonly search_fields?: "first_name" | "last_name" | "both" | (string & {});
/** Order of the matches ("last_name" where left out) */ readonly sort_by?: "first_name" | "last_name" | (string & {});
/** Users in it, and the callflow that reaches each */ readonly users?: readonly (unknown)[];
}
/** A fax */
export interface FaxRecord {
/** Id */ readonly id: string;
/** Number that sends */ readonly from_number?: string;
/** Name of the sender */ readonly from_name?: string;
/** Number that receives */ readonly to_number?: string;
/** Name of the receiver */ readonly to_name?: string;
/** Tries so far */ readonly attempts?: number;
/** The document to send */ readonly document?: {
/** Body of the request for the document */ readonly content?: string;
/** Content type of that body */ readonly content_type?: string;
/** Host header of that request */ readonly host?: string;
/** Method of that request */ readonly method?: "get" | "post" | (string & {});
/** Referer header of that request */ readonly referer?: string;
/** Where the document is */ readonly url: string;
};
/** Who is told of the result */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: readonly (string)[] | string;
};
/** By text message */ readonly sms?: {
/** Whom to tell */ readonly send_to?: readonly (string)[] | string;
};
};
/** Most tries */ readonly retries?: number;
/** Result of the last try */ readonly tx_result?: {
/** What failed */ readonly error_message?: string;
/** Rows that arrived damaged */ readonly fax_bad_rows?: number;
/** Error correction was used */ readonly fax_error_correction?: boolean;
/** How the receiver called itself */ readonly fax_receiver_id?: string;
/** Bits a second */ readonly fax_speed?: number;
/** Pages sent */ readonly pages_sent?: number;
/** The fax arrived */ readonly success?: boolean;
/** Seconds it took */ readonly time_elapsed?: number;
};
/** Fax box whose settings apply */ readonly faxbox_id?: string;
/** State of the job */ readonly status?: "attaching files" | "pending" | "locked" | "processing" | "completed" | "failed" | "resubmitting" | "not available" | "received" | (string & {});
/** Where it is kept: outbox or inbox */ readonly folder?: string;
/** How the fax was received */ readonly rx_result?: { readonly [key: string]: unknown };
/** When it was made, in Gregorian seconds */ readonly created?: number;
/** Number that receives */ readonly to?: string;
/** Number that sends */ readonly from?: string;
}
/** A fax */
export interface FaxInput {
/** Number that sends */ readonly from_number: string;
/** Name of the sender */ readonly from_name?: string;
/** Number that receives */ readonly to_number: string;
/** Name of the receiver */ readonly to_name?: string;
/** Tries so far (0 where left out) */ readonly attempts?: number;
/** The document to send */ readonly document?: {
/** Body of the request for the document */ readonly content?: string;
/** Content type of that body */ readonly content_type?: string;
/** Host header of that request */ readonly host?: string;
/** Method of that request ("get" where left out) */ readonly method?: "get" | "post" | (string & {});
/** Referer header of that request */ readonly referer?: string;
/** Where the document is */ readonly url: string;
};
/** Who is told of the result */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: readonly (string)[] | string;
};
/** By text message */ readonly sms?: {
/** Whom to tell */ readonly send_to?: readonly (string)[] | string;
};
};
/** Most tries (1 where left out) */ readonly retries?: number;
/** Result of the last try */ readonly tx_result?: {
/** What failed ("" where left out) */ readonly error_message?: string;
/** Rows that arrived damaged (0 where left out) */ readonly fax_bad_rows?: number;
/** Error correction was used (false where left out) */ readonly fax_error_correction?: boolean;
/** How the receiver called itself ("" where left out) */ readonly fax_receiver_id?: string;
/** Bits a second (0 where left out) */ readonly fax_speed?: number;
/** Pages sent (0 where left out) */ readonly pages_sent?: number;
/** The fax arrived (false where left out) */ readonly success?: boolean;
/** Seconds it took (0 where left out) */ readonly time_elapsed?: number;
};
/** Fax box whose settings apply */ readonly faxbox_id?: string;
}
/** A step of a flow */
export interface FlowNode {
/** What happens here: menu, user, voicemail, … */ readonly module: string;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
};
/** What follows, by key: dialled digits, or _ for otherwise */ readonly children?: { readonly [key: string]: FlowNode };
}
/** A step of a flow */
export type FlowNodeChanges = {
/** What happens here: menu, user, voicemail, … */ readonly module?: string | null;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string | null;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown } | null;
readonly [key: string]: unknown;
} | null;
/** What follows, by key: dialled digits, or _ for otherwise */ readonly children?: { readonly [key: string]: FlowNodeChanges } | null;
} | null;
/** A step of a flow */
export interface FlowNodeInput {
/** What happens here: menu, user, voicemail, … */ readonly module: string;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
};
/** What follows, by key: dialled digits, or _ for otherwise */ readonly children?: { readonly [key: string]: FlowNodeInput };
}
/** A group */
export interface GroupRecord {
/** Id */ readonly id: string;
/** Name */ readonly name?: string;
/** Members by id */ readonly endpoints?: { readonly [key: string]: {
/** What the id names */ readonly type?: "user" | "device" | "group" | (string & {});
/** Order among the members */ readonly weight?: number;
readonly [key: string]: unknown;
} };
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** What is switched on */ readonly features?: readonly (string)[];
}
/** A group */
export interface GroupChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Members by id */ readonly endpoints?: { readonly [key: string]: {
/** What the id names */ readonly type?: string | null;
/** Order among the members */ readonly weight?: number | null;
readonly [key: string]: unknown;
} | null } | null;
/** Free words to filter by */ readonly flags?: readonly (string)[] | null;
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string | null;
readonly [key: string]: unknown;
} | null;
/** What is switched on */ readonly features?: readonly (string)[] | null;
}
/** A group */
export interface GroupInput {
/** Name */ readonly name: string;
/** Members by id */ readonly endpoints: { readonly [key: string]: {
/** What the id names */ readonly type?: "user" | "device" | "group" | (string & {});
/** Order among the members */ readonly weight?: number;
readonly [key: string]: unknown;
} };
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
}
/** A signing key */
export interface KeyRecord {
/** Id */ readonly id: string;
/** Public key as PEM text */ readonly public_key_pem?: string;
}
/** Call limits of an account */
export interface LimitRecord {
/** Allow per-minute calls when no credit is available */ readonly allow_prepay?: boolean;
/** Resource types that authorize a call, past limits and billing */ readonly authz_resource_types?: readonly (string)[];
/** Two-way flat-rate trunks used only if no other trunk is free */ readonly burst_trunks?: number;
/** Hard limit on all calls */ readonly calls?: number;
/** Inbound flat-rate trunks */ readonly inbound_trunks?: number;
/** Outbound flat-rate trunks */ readonly outbound_trunks?: number;
/** Hard limit on calls that consume resources */ readonly resource_consuming_calls?: number;
/** Two-way flat-rate trunks */ readonly twoway_trunks?: number;
}
/** A link to an SSO application */
export interface LinkRecord {
/** Id */ readonly id: string;
/** Application */ readonly app?: string;
/** Provider */ readonly provider?: string;
/** E-mail address at the provider */ readonly email?: string;
/** Name at the provider */ readonly display_name?: string;
/** The provider has verified the address */ readonly verified_email?: boolean;
/** Scopes, with blanks between */ readonly scope?: string;
/** Scopes */ readonly scopes?: readonly (string)[];
/** Profile as the provider gives it */ readonly profile?: { readonly [key: string]: unknown };
}
/** A menu */
export interface MenuRecord {
/** Id */ readonly id: string;
/** Name */ readonly name?: string;
/** Greeting may be recorded from outside */ readonly allow_record_from_offnet?: boolean;
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Callers may dial extensions */ readonly hunt?: boolean;
/** Expression for extensions that may be dialled */ readonly hunt_allow?: string;
/** Expression for extensions that may not be dialled */ readonly hunt_deny?: string;
/** Wait for the next digit, in milliseconds */ readonly interdigit_timeout?: number;
/** Most digits of an extension */ readonly max_extension_length?: number;
/** Media that is played */ readonly media?: {
/** Media id of the greeting */ readonly greeting?: string;
/** Played when the caller leaves */ readonly exit_media?: string | boolean;
/** Played on a wrong choice */ readonly invalid_media?: string | boolean;
/** Played before a transfer */ readonly transfer_media?: string | boolean;
readonly [key: string]: unknown;
};
/** PIN to record the greeting */ readonly record_pin?: string;
/** How often a caller may try */ readonly retries?: number;
/** Play nothing */ readonly suppress_media?: boolean;
/** Wait for the first digit, in milliseconds */ readonly timeout?: number;
}
/** A menu */
export interface MenuChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Greeting may be recorded from outside */ readonly allow_record_from_offnet?: boolean | null;
/** Free words to filter by */ readonly flags?: readonly (string)[] | null;
/** Callers may dial extensions */ readonly hunt?: boolean | null;
/** Expression for extensions that may be dialled */ readonly hunt_allow?: string | null;
/** Expression for extensions that may not be dialled */ readonly hunt_deny?: string | null;
/** Wait for the next digit, in milliseconds */ readonly interdigit_timeout?: number | null;
/** Most digits of an extension */ readonly max_extension_length?: number | null;
/** Media that is played */ readonly media?: {
/** Media id of the greeting */ readonly greeting?: string | null;
/** Played when the caller leaves */ readonly exit_media?: string | boolean | null;
/** Played on a wrong choice */ readonly invalid_media?: string | boolean | null;
/** Played before a transfer */ readonly transfer_media?: string | boolean | null;
readonly [key: string]: unknown;
} | null;
/** PIN to record the greeting */ readonly record_pin?: string | null;
/** How often a caller may try */ readonly retries?: number | null;
/** Play nothing */ readonly suppress_media?: boolean | null;
/** Wait for the first digit, in milliseconds */ readonly timeout?: number | null;
}
/** A menu */
export interface MenuInput {
/** Name */ readonly name: string;
/** Greeting may be recorded from outside (false where left out) */ readonly allow_record_from_offnet?: boolean;
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Callers may dial extensions (true where left out) */ readonly hunt?: boolean;
/** Expression for extensions that may be dialled */ readonly hunt_allow?: string;
/** Expression for extensions that may not be dialled */ readonly hunt_deny?: string;
/** Wait for the next digit, in milliseconds */ readonly interdigit_timeout?: number;
/** Most digits of an extension (4 where left out) */ readonly max_extension_length?: number;
/** Media that is played */ readonly media?: {
/** Media id of the greeting */ readonly greeting?: string;
/** Played when the caller leaves */ readonly exit_media?: string | boolean;
/** Played on a wrong choice */ readonly invalid_media?: string | boolean;
/** Played before a transfer */ readonly transfer_media?: string | boolean;
readonly [key: string]: unknown;
};
/** PIN to record the greeting */ readonly record_pin?: string;
/** How often a caller may try (3 where left out) */ readonly retries?: number;
/** Play nothing (false where left out) */ readonly suppress_media?: boolean;
/** Wait for the first digit, in milliseconds */ readonly timeout?: number;
}
/** A voicemail message */
export interface MessageRecord {
/** Id */ readonly id: string;
/** Id of the recording, and of the message */ readonly media_id?: string;
/** Where it lies */ readonly folder?: "new" | "saved" | "deleted" | (string & {});
/** When it was left, in Gregorian seconds */ readonly timestamp?: number;
/** Who called, as an address */ readonly from?: string;
/** Who was called, as an address */ readonly to?: string;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Call in which it was left */ readonly call_id?: string;
/** How long it is, in milliseconds */ readonly length?: number;
/** What is said in it */ readonly transcription?: {
/** Whether it could be transcribed */ readonly result?: "success" | "error" | (string & {});
/** What is said */ readonly text?: string;
};
}
/** A voicemail message */
export interface MessageChanges {
/** Id */ readonly id?: string | null;
/** Id of the recording, and of the message */ readonly media_id?: string | null;
/** Where it lies */ readonly folder?: string | null;
/** When it was left, in Gregorian seconds */ readonly timestamp?: number | null;
/** Who called, as an address */ readonly from?: string | null;
/** Who was called, as an address */ readonly to?: string | null;
/** Name of the caller */ readonly caller_id_name?: string | null;
/** Number of the caller */ readonly caller_id_number?: string | null;
/** Call in which it was left */ readonly call_id?: string | null;
/** How long it is, in milliseconds */ readonly length?: number | null;
/** What is said in it */ readonly transcription?: {
/** Whether it could be transcribed */ readonly result?: string | null;
/** What is said */ readonly text?: string | null;
} | null;
}
/** A voicemail message */
export interface MessageInput {
/** Where it lies */ readonly folder?: "new" | "saved" | "deleted" | (string & {});
/** When it was left, in Gregorian seconds */ readonly timestamp?: number;
/** Who called, as an address */ readonly from?: string;
/** Who was called, as an address */ readonly to?: string;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Call in which it was left */ readonly call_id?: string;
/** How long it is, in milliseconds */ readonly length?: number;
/** What is said in it */ readonly transcription?: {
/** Whether it could be transcribed */ readonly result?: "success" | "error" | (string & {});
/** What is said */ readonly text?: string;
};
}
/** Metaflow settings of an account */
export interface MetaflowRecord {
/** Key that starts a metaflow */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Which leg may dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
}
/** Metaflow settings of an account */
export interface MetaflowInput {
/** Key that starts a metaflow ("*" where left out) */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Which leg may dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
}
/** A step of a flow */
export interface MetaflowNode {
/** What happens here: menu, user, voicemail, … */ readonly module: string;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
};
/** What follows, by key: dialled digits, or _ for otherwise */ readonly children?: { readonly [key: string]: MetaflowNode };
}
/** A step of a flow */
export type MetaflowNodeChanges = {
/** What happens here: menu, user, voicemail, … */ readonly module?: string | null;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string | null;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown } | null;
readonly [key: string]: unknown;
} | null;
/** What follows, by key: dialled digits, or _ for otherwise */ readonly children?: { readonly [key: string]: MetaflowNodeChanges } | null;
} | null;
/** A step of a flow */
export interface MetaflowNodeInput {
/** What happens here: menu, user, voicemail, … */ readonly module: string;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
};
/** What follows, by key: dialled digits, or _ for otherwise */ readonly children?: { readonly [key: string]: MetaflowNodeInput };
}
/** A phone number */
export interface NumberRecord {
/** Id */ readonly id: string;
/** Carrier */ readonly carrier_name?: string;
/** Caller names */ readonly cnam?: {
/** Name shown to those who are called */ readonly display_name?: string;
/** Look up the names of callers */ readonly inbound_lookup?: boolean;
};
/** State that a new number is given */ readonly create_with_state?: "aging" | "available" | "deleted" | "discovery" | "in_service" | "port_in" | "port_out" | "released" | "reserved" | (string & {});
/** Address for emergency calls */ readonly e911?: {
/** When it was activated */ readonly activated_time?: string;
/** Name told to the emergency centre */ readonly caller_name?: string;
/** Floor, room */ readonly extended_address?: string;
/** Latitude */ readonly latitude?: string;
/** Address in the older form */ readonly legacy_data?: {
/** House number */ readonly house_number?: string;
/** Direction before the street */ readonly predirectional?: string;
/** Street */ readonly streetname?: string;
/** Suite */ readonly suite?: string;
};
/** Town */ readonly locality: string;
/** Id of the location */ readonly location_id?: string;
/** Longitude */ readonly longitude?: string;
/** Addresses told of an emergency call */ readonly notification_contact_emails?: readonly (unknown)[];
/** Last four digits of a long postal code */ readonly plus_four?: string;
/** Postal code */ readonly postal_code: string;
/** Region, in two letters */ readonly region: string;
/** State of the address */ readonly status?: "INVALID" | "GEOCODED" | "PROVISIONED" | "REMOVED" | "ERROR" | (string & {});
/** Street and number */ readonly street_address: string;
};
/** Porting of the number */ readonly porting?: {
/** Account with the losing carrier */ readonly billing_account_id?: string;
/** Floor, room */ readonly billing_extended_address?: string;
/** Town */ readonly billing_locality?: string;
/** Name on the bill */ readonly billing_name?: string;
/** Postal code */ readonly billing_postal_code?: string;
/** Region */ readonly billing_region?: string;
/** Street and number */ readonly billing_street_address?: string;
/** Number on the bill */ readonly billing_telephone_number?: string;
/** Comments */ readonly comments?: readonly (string)[];
/** Whom to ask */ readonly customer_contact?: string;
/** Port request */ readonly port_id?: string;
/** When to port */ readonly requested_port_date?: string;
/** Losing carrier */ readonly service_provider?: string;
};
/** State */ readonly state?: string;
/** What answers it */ readonly used_by?: string;
/** Account that has it */ readonly assigned_to?: string;
/** Features */ readonly features?: readonly (string)[];
}
/** A phone number */
export interface NumberChanges {
/** Id */ readonly id?: string | null;
/** Carrier */ readonly carrier_name?: string | null;
/** Caller names */ readonly cnam?: {
/** Name shown to those who are called */ readonly display_name?: string | null;
/** Look up the names of callers */ readonly inbound_lookup?: boolean | null;
} | null;
/** State that a new number is given */ readonly create_with_state?: string | null;
/** Address for emergency calls */ readonly e911?: {
/** When it was activated */ readonly activated_time?: string | null;
/** Name told to the emergency centre */ readonly caller_name?: string | null;
/** Floor, room */ readonly extended_address?: string | null;
/** Latitude */ readonly latitude?: string | null;
/** Address in the older form */ readonly legacy_data?: {
/** House number */ readonly house_number?: string | null;
/** Direction before the street */ readonly predirectional?: string | null;
/** Street */ readonly streetname?: string | null;
/** Suite */ readonly suite?: string | null;
} | null;
/** Town */ readonly locality?: string | null;
/** Id of the location */ readonly location_id?: string | null;
/** Longitude */ readonly longitude?: string | null;
/** Addresses told of an emergency call */ readonly notification_contact_emails?: readonly (unknown)[] | null;
/** Last four digits of a long postal code */ readonly plus_four?: string | null;
/** Postal code */ readonly postal_code?: string | null;
/** Region, in two letters */ readonly region?: string | null;
/** State of the address */ readonly status?: string | null;
/** Street and number */ readonly street_address?: string | null;
} | null;
/** Porting of the number */ readonly porting?: {
/** Account with the losing carrier */ readonly billing_account_id?: string | null;
/** Floor, room */ readonly billing_extended_address?: string | null;
/** Town */ readonly billing_locality?: string | null;
/** Name on the bill */ readonly billing_name?: string | null;
/** Postal code */ readonly billing_postal_code?: string | null;
/** Region */ readonly billing_region?: string | null;
/** Street and number */ readonly billing_street_address?: string | null;
/** Number on the bill */ readonly billing_telephone_number?: string | null;
/** Comments */ readonly comments?: readonly (string)[] | null;
/** Whom to ask */ readonly customer_contact?: string | null;
/** Port request */ readonly port_id?: string | null;
/** When to port */ readonly requested_port_date?: string | null;
/** Losing carrier */ readonly service_provider?: string | null;
} | null;
/** State */ readonly state?: string | null;
/** What answers it */ readonly used_by?: string | null;
/** Account that has it */ readonly assigned_to?: string | null;
/** Features */ readonly features?: readonly (string)[] | null;
}
/** A phone number */
export interface NumberInput {
/** Carrier */ readonly carrier_name?: string;
/** Caller names */ readonly cnam?: {
/** Name shown to those who are called */ readonly display_name?: string;
/** Look up the names of callers */ readonly inbound_lookup?: boolean;
};
/** State that a new number is given */ readonly create_with_state?: "aging" | "available" | "deleted" | "discovery" | "in_service" | "port_in" | "port_out" | "released" | "reserved" | (string & {});
/** Address for emergency calls */ readonly e911?: {
/** When it was activated */ readonly activated_time?: string;
/** Name told to the emergency centre */ readonly caller_name?: string;
/** Floor, room */ readonly extended_address?: string;
/** Latitude */ readonly latitude?: string;
/** Address in the older form */ readonly legacy_data?: {
/** House number */ readonly house_number?: string;
/** Direction before the street */ readonly predirectional?: string;
/** Street */ readonly streetname?: string;
/** Suite */ readonly suite?: string;
};
/** Town */ readonly locality: string;
/** Id of the location */ readonly location_id?: string;
/** Longitude */ readonly longitude?: string;
/** Addresses told of an emergency call */ readonly notification_contact_emails?: readonly (unknown)[];
/** Last four digits of a long postal code */ readonly plus_four?: string;
/** Postal code */ readonly postal_code: string;
/** Region, in two letters */ readonly region: string;
/** State of the address */ readonly status?: "INVALID" | "GEOCODED" | "PROVISIONED" | "REMOVED" | "ERROR" | (string & {});
/** Street and number */ readonly street_address: string;
};
/** Porting of the number */ readonly porting?: {
/** Account with the losing carrier */ readonly billing_account_id?: string;
/** Floor, room */ readonly billing_extended_address?: string;
/** Town */ readonly billing_locality?: string;
/** Name on the bill */ readonly billing_name?: string;
/** Postal code */ readonly billing_postal_code?: string;
/** Region */ readonly billing_region?: string;
/** Street and number */ readonly billing_street_address?: string;
/** Number on the bill */ readonly billing_telephone_number?: string;
/** Comments */ readonly comments?: readonly (string)[];
/** Whom to ask */ readonly customer_contact?: string;
/** Port request */ readonly port_id?: string;
/** When to port */ readonly requested_port_date?: string;
/** Losing carrier */ readonly service_provider?: string;
};
}
/** A participant */
export interface ParticipantRecord {
/** Id */ readonly id: string;
/** Number of the participant */ readonly participant_id?: number;
/** Call */ readonly call_id?: string;
/** Conference */ readonly conference_name?: string;
/** Run of the conference */ readonly conference_uuid?: string;
/** How loud now */ readonly current_energy?: number;
/** Seconds in the conference */ readonly duration?: number;
/** Level that counts as speech */ readonly energy_level?: number;
/** Has the floor */ readonly floor?: boolean;
/** Hears the others */ readonly hear?: boolean;
/** Is a moderator */ readonly is_moderator?: boolean;
/** When they joined, in Gregorian seconds */ readonly join_time?: number;
/** Speech is noticed while muted */ readonly mute_detect?: boolean;
/** Is heard */ readonly speak?: boolean;
/** Server */ readonly switch_hostname?: string;
/** Is talking */ readonly talking?: boolean;
/** With video */ readonly video?: boolean;
}
/** A port request */
export interface PortRecord {
/** Id */ readonly id: string;
/** Name */ readonly name?: string;
/** As on the bill of the losing carrier */ readonly bill?: {
/** Account with the losing carrier */ readonly account_number?: string;
/** Number on the bill */ readonly btn?: string;
/** Losing carrier */ readonly carrier?: string;
/** Town */ readonly locality?: string;
/** Name on the bill */ readonly name?: string;
/** PIN with the losing carrier */ readonly pin?: string;
/** Postal code */ readonly postal_code?: string;
/** Region */ readonly region?: string;
/** Street */ readonly street_address?: string;
/** House number */ readonly street_number?: string;
/** Direction after the street */ readonly street_post_dir?: string;
/** Direction before the street */ readonly street_pre_dir?: string;
/** Kind of street */ readonly street_type?: string;
};
/** Comments */ readonly comments?: readonly ({
/** Account of the author */ readonly account_id?: string;
/** Somebody has to act */ readonly action_required?: boolean;
/** Author */ readonly author: string;
/** What it says */ readonly content: string;
/** For the port authority only */ readonly is_private?: boolean;
/** When it was written, in Gregorian seconds */ readonly timestamp: number;
/** User who wrote it */ readonly user_id?: string;
})[];
/** Who is told of progress */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: string | readonly (unknown)[];
};
};
/** Numbers to port */ readonly numbers?: { readonly [key: string]: unknown };
/** Reference of the carrier */ readonly reference_number?: string;
/** Who signed */ readonly signee_name?: string;
/** When it was signed, in Gregorian seconds */ readonly signing_date?: number;
/** When to port, in Gregorian seconds */ readonly transfer_date?: number;
/** Carrier that gets the numbers */ readonly winning_carrier?: string;
/** When it will be ported, in Gregorian seconds */ readonly scheduled_date?: number;
/** When to port, in local time; makes scheduled_date */ readonly schedule_on?: {
/** Time zone, such as America/New_York */ readonly timezone: string;
/** Day and time there, such as 2030-01-31 09:00 */ readonly date_time: string;
};
/** State of the request */ readonly port_state?: "unconfirmed" | "submitted" | "pending" | "scheduled" | "completed" | "rejected" | "canceled" | (string & {});
/** What happened to it, oldest first: moves between states, comments */ readonly timeline?: readonly ({ readonly [key: string]: unknown })[];
/** When it was made, in Gregorian seconds */ readonly created?: number;
/** When it was changed, in Gregorian seconds */ readonly updated?: number;
/** Account of the request, which lists of compatible services name */ readonly account_id?: string;
/** The notice of submission went out */ readonly sent?: boolean;
/** Attachments by name */ readonly uploads?: { readonly [key: string]: unknown };
}
/** A port request */
export interface PortChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** As on the bill of the losing carrier */ readonly bill?: {
/** Account with the losing carrier */ readonly account_number?: string | null;
/** Number on the bill */ readonly btn?: string | null;
/** Losing carrier */ readonly carrier?: string | null;
/** Town */ readonly locality?: string | null;
/** Name on the bill */ readonly name?: string | null;
/** PIN with the losing carrier */ readonly pin?: string | null;
/** Postal code */ readonly postal_code?: string | null;
/** Region */ readonly region?: string | null;
/** Street */ readonly street_address?: string | null;
/** House number */ readonly street_number?: string | null;
/** Direction after the street */ readonly street_post_dir?: string | null;
/** Direction before the street */ readonly street_pre_dir?: string | null;
/** Kind of street */ readonly street_type?: string | null;
} | null;
/** Comments */ readonly comments?: readonly ({
/** Account of the author */ readonly account_id?: string;
/** Somebody has to act */ readonly action_required?: boolean;
/** Author */ readonly author: string;
/** What it says */ readonly content: string;
/** For the port authority only */ readonly is_private?: boolean;
/** When it was written, in Gregorian seconds */ readonly timestamp: number;
/** User who wrote it */ readonly user_id?: string;
})[] | null;
/** Who is told of progress */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: string | readonly (unknown)[] | null;
} | null;
} | null;
/** Numbers to port */ readonly numbers?: { readonly [key: string]: unknown } | null;
/** Reference of the carrier */ readonly reference_number?: string | null;
/** Who signed */ readonly signee_name?: string | null;
/** When it was signed, in Gregorian seconds */ readonly signing_date?: number | null;
/** When to port, in Gregorian seconds */ readonly transfer_date?: number | null;
/** Carrier that gets the numbers */ readonly winning_carrier?: string | null;
/** When it will be ported, in Gregorian seconds */ readonly scheduled_date?: number | null;
/** When to port, in local time; makes scheduled_date */ readonly schedule_on?: {
/** Time zone, such as America/New_York */ readonly timezone?: string | null;
/** Day and time there, such as 2030-01-31 09:00 */ readonly date_time?: string | null;
} | null;
/** State of the request */ readonly port_state?: string | null;
/** What happened to it, oldest first: moves between states, comments */ readonly timeline?: readonly ({ readonly [key: string]: unknown })[] | null;
/** When it was made, in Gregorian seconds */ readonly created?: number | null;
/** When it was changed, in Gregorian seconds */ readonly updated?: number | null;
/** Account of the request, which lists of compatible services name */ readonly account_id?: string | null;
/** The notice of submission went out */ readonly sent?: boolean | null;
/** Attachments by name */ readonly uploads?: { readonly [key: string]: unknown } | null;
}
/** A port request */
export interface PortInput {
/** Name */ readonly name: string;
/** As on the bill of the losing carrier */ readonly bill?: {
/** Account with the losing carrier */ readonly account_number?: string;
/** Number on the bill */ readonly btn?: string;
/** Losing carrier */ readonly carrier?: string;
/** Town */ readonly locality?: string;
/** Name on the bill */ readonly name?: string;
/** PIN with the losing carrier */ readonly pin?: string;
/** Postal code */ readonly postal_code?: string;
/** Region */ readonly region?: string;
/** Street */ readonly street_address?: string;
/** House number */ readonly street_number?: string;
/** Direction after the street */ readonly street_post_dir?: string;
/** Direction before the street */ readonly street_pre_dir?: string;
/** Kind of street */ readonly street_type?: string;
};
/** Comments */ readonly comments?: readonly ({
/** Account of the author */ readonly account_id?: string;
/** Somebody has to act (false where left out) */ readonly action_required?: boolean;
/** Author */ readonly author: string;
/** What it says */ readonly content: string;
/** For the port authority only (false where left out) */ readonly is_private?: boolean;
/** When it was written, in Gregorian seconds */ readonly timestamp: number;
/** User who wrote it */ readonly user_id?: string;
})[];
/** Who is told of progress */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: string | readonly (unknown)[];
};
};
/** Numbers to port */ readonly numbers: { readonly [key: string]: unknown };
/** Reference of the carrier */ readonly reference_number?: string;
/** Who signed */ readonly signee_name?: string;
/** When it was signed, in Gregorian seconds */ readonly signing_date?: number;
/** When to port, in Gregorian seconds */ readonly transfer_date?: number;
/** Carrier that gets the numbers */ readonly winning_carrier?: string;
/** When it will be ported, in Gregorian seconds */ readonly scheduled_date?: number;
/** When to port, in local time; makes scheduled_date */ readonly schedule_on?: {
/** Time zone, such as America/New_York */ readonly timezone: string;
/** Day and time there, such as 2030-01-31 09:00 */ readonly date_time: string;
};
}
/** An SSO provider */
export interface ProviderRecord {
/** Id, such as google */ readonly id: string;
/** Kind of provider */ readonly provider_type?: "oauth" | "multi_factor";
/** May be used */ readonly enabled?: boolean;
/** Name */ readonly name?: string;
/** Name of the service behind it */ readonly provider_name?: string;
/** Where codes become tokens */ readonly access_code_url?: string;
/** Module that speaks to it */ readonly auth_module?: string;
/** Where people sign in */ readonly auth_url?: string;
/** OpenID discovery document */ readonly discovery?: string;
/** Issuers that are trusted */ readonly issuer_domains?: readonly (string)[];
/** OAuth endpoint */ readonly oauth_url?: string;
/** Where the profile of a user is */ readonly profile_url?: string;
/** Field of the profile that makes the identity */ readonly profile_identity_field?: string;
/** Fields of the profile that make the identity */ readonly profile_identity_fields?: readonly (string)[];
/** Field of the profile with the name */ readonly profile_displayName_field?: string;
/** Field of the profile with the e-mail address */ readonly profile_email_field?: string;
/** How signed tokens are exchanged */ readonly jwt_flow?: { readonly [key: string]: unknown };
/** How public keys are found */ readonly public_key_method?: string;
/** Field of the discovery document with the keys */ readonly public_key_discovery_field?: string;
/** Field of a token with the key id */ readonly public_key_jwt_field?: string;
/** Part of a token with that field */ readonly public_key_jwt_location?: string;
/** Field of a key with the key id */ readonly public_key_lookup_field?: string;
/** Scopes by name */ readonly scopes?: { readonly [key: string]: unknown };
/** Settings of the module */ readonly settings?: { readonly [key: string]: unknown };
}
/** An SSO provider */
export interface ProviderInput {
/** Id, such as google */ readonly id: string;
/** Kind of provider */ readonly provider_type?: "oauth" | "multi_factor";
/** May be used */ readonly enabled?: boolean;
/** Name */ readonly name?: string;
/** Name of the service behind it */ readonly provider_name?: string;
/** Where codes become tokens */ readonly access_code_url?: string;
/** Module that speaks to it */ readonly auth_module?: string;
/** Where people sign in */ readonly auth_url?: string;
/** OpenID discovery document */ readonly discovery?: string;
/** Issuers that are trusted */ readonly issuer_domains?: readonly (string)[];
/** OAuth endpoint */ readonly oauth_url?: string;
/** Where the profile of a user is */ readonly profile_url?: string;
/** Field of the profile that makes the identity */ readonly profile_identity_field?: string;
/** Fields of the profile that make the identity */ readonly profile_identity_fields?: readonly (string)[];
/** Field of the profile with the name */ readonly profile_displayName_field?: string;
/** Field of the profile with the e-mail address */ readonly profile_email_field?: string;
/** How signed tokens are exchanged */ readonly jwt_flow?: { readonly [key: string]: unknown };
/** How public keys are found */ readonly public_key_method?: string;
/** Field of the discovery document with the keys */ readonly public_key_discovery_field?: string;
/** Field of a token with the key id */ readonly public_key_jwt_field?: string;
/** Part of a token with that field */ readonly public_key_jwt_location?: string;
/** Field of a key with the key id */ readonly public_key_lookup_field?: string;
/** Scopes by name */ readonly scopes?: { readonly [key: string]: unknown };
/** Settings of the module */ readonly settings?: { readonly [key: string]: unknown };
}
/** A resource selector rule */
export interface SelectorRecord {
/** Id */ readonly id: string;
/** Name */ readonly name?: string;
/** Resource that is chosen */ readonly resource?: string;
/** What is compared */ readonly selector?: string;
/** Value that it has */ readonly value?: string;
/** Valid from, in Gregorian seconds */ readonly start_time?: number;
/** Valid until, in Gregorian seconds */ readonly stop_time?: number;
}
/** A resource selector rule */
export interface SelectorInput {
/** Name */ readonly name: string;
/** Resource that is chosen */ readonly resource: string;
/** What is compared */ readonly selector: string;
/** Value that it has */ readonly value?: string;
/** Valid from, in Gregorian seconds */ readonly start_time?: number;
/** Valid until, in Gregorian seconds */ readonly stop_time?: number;
}
/** Service plans of an account */
export interface ServiceRecord {
/** Plans: ids, or objects with id, vendor_id, overrides and contract */ readonly plans?: readonly (unknown)[] | { readonly [key: string]: unknown };
/** Plans to add */ readonly add?: readonly (unknown)[];
/** Ids of plans to remove */ readonly delete?: readonly (string)[];
/** What differs from the plans, by category and item */ readonly overrides?: { readonly [key: string]: unknown };
/** Account that pays */ readonly billing_id?: string;
}
/** Service plans of an account */
export interface ServiceInput {
/** Plans: ids, or objects with id, vendor_id, overrides and contract */ readonly plans?: readonly (unknown)[] | { readonly [key: string]: unknown };
/** Plans to add */ readonly add?: readonly (unknown)[];
/** Ids of plans to remove */ readonly delete?: readonly (string)[];
/** What differs from the plans, by category and item */ readonly overrides?: { readonly [key: string]: unknown };
/** Account that pays */ readonly billing_id?: string;
}
/** What a token says */
export interface TokenRecord {
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account that sells to it */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user may open */ readonly apps?: readonly (unknown)[];
/** How the token was got */ readonly method?: string;
/** The account sells to those below it */ readonly is_reseller?: boolean;
/** The account is the first of the service */ readonly is_master_account?: boolean;
}
/** A user */
export interface UserRecord {
/** Id */ readonly id: string;
/** Name to sign in with; stored in lower case */ readonly username?: string;
/** Password; changing it ends all tokens of the user */ readonly password?: string;
/** Given name */ readonly first_name?: string;
/** Family name */ readonly last_name?: string;
/** E-mail address */ readonly email?: string;
/** Role in the account */ readonly priv_level?: "user" | "admin" | (string & {});
/** May sign in and place calls */ readonly enabled?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Language, such as en-US */ readonly language?: string;
/** Number or name whose presence the user publishes */ readonly presence_id?: string;
/** Feature level of the user */ readonly feature_level?: string;
/** Must choose a new password at the next sign-in */ readonly require_password_update?: boolean;
/** E-mail address was verified */ readonly verified?: boolean;
/** Send voicemail by e-mail */ readonly vm_to_email_enabled?: boolean;
/** Call forwarding */ readonly call_forward?: {
/** Only calls to the user, not to a group */ readonly direct_calls_only?: boolean;
/** Forward calls */ readonly enabled?: boolean;
/** Only when no device of the user is reachable */ readonly failover?: boolean;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean;
/** Show the caller's number */ readonly keep_caller_id?: boolean;
/** Number to forward to */ readonly number?: string;
/** Ask for a key before connecting */ readonly require_keypress?: boolean;
/** Ring the number instead of the user's devices */ readonly substitute?: boolean;
};
/** Recording by direction of the call */ readonly call_recording?: {
/** Recording settings by where the call comes from */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
};
/** Restrictions by classifier: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: unknown };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** What is hidden on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
};
/** Place in the contact list */ readonly contact_list?: {
/** Leave the user out */ readonly exclude?: boolean;
readonly [key: string]: unknown;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: {
/** Shared dial plans to apply */ readonly system?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Directories the user is in: directory id to callflow id */ readonly directories?: { readonly [key: string]: string };
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: readonly ({
/** Calls it applies to */ readonly direction?: "inbound" | "outbound" | "both" | (string & {});
/** Use the invite format of the endpoint */ readonly match_invite_format?: boolean;
/** Put before the match */ readonly prefix?: string;
/** Expression that selects what is kept */ readonly regex?: string;
/** Remove the field */ readonly strip?: boolean;
/** Put after the match */ readonly suffix?: string;
/** Replace by this value */ readonly value?: string;
})[] };
/** Hot desking */ readonly hotdesk?: {
/** May use any phone */ readonly enabled?: boolean;
/** Number to sign in with */ readonly id?: string;
/** Stay signed in on other phones */ readonly keep_logged_in_elsewhere?: boolean;
/** PIN to sign in with */ readonly pin?: string;
/** Ask for the PIN */ readonly require_pin?: boolean;
readonly [key: string]: unknown;
};
/** Media settings */ readonly media?: {
/** Audio settings */ readonly audio?: {
/** Codecs, best first */ readonly codecs?: readonly ("OPUS" | "CELT@32000h" | "G7221@32000h" | "G7221@16000h" | "G722" | "speex@32000h" | "speex@16000h" | "PCMU" | "PCMA" | "G729" | "GSM" | "CELT@48000h" | "CELT@64000h" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "speex" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Let media flow directly between endpoints */ readonly bypass_media?: boolean | string;
/** Encryption settings */ readonly encryption?: {
/** Refuse calls that are not encrypted */ readonly enforce_security?: boolean;
/** Ways of encryption */ readonly methods?: readonly ("zrtp" | "srtp" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Support faxes */ readonly fax_option?: boolean;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean;
/** Seconds to wait for progress */ readonly progress_timeout?: number;
/** Video settings */ readonly video?: {
/** Codecs, best first */ readonly codecs?: readonly ("H261" | "H263" | "H264" | "VP8" | (string & {}))[];
readonly [key: string]: unknown;
};
};
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Which leg may dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Personal details, as in a vCard */ readonly profile?: {
/** Addresses */ readonly addresses?: readonly ({
/** Address */ readonly address?: string;
/** Kinds: home, work, postal, … */ readonly types?: readonly ("dom" | "postal" | "intl" | "parcel" | "home" | "work" | "pref" | (string & {}))[];
})[];
/** Assistant */ readonly assistant?: string;
/** Birthday */ readonly birthday?: string;
/** Nicknames */ readonly nicknames?: readonly (string)[];
/** Note */ readonly note?: string;
/** Role */ readonly role?: string;
/** Sort by this */ readonly "sort-string"?: string;
/** Title */ readonly title?: string;
};
/** Recording of the name */ readonly pronounced_name?: {
/** Media id */ readonly media_id?: string;
};
/** Ring tones */ readonly ringtones?: {
/** For calls inside the account */ readonly internal?: string;
/** For calls from outside */ readonly external?: string;
readonly [key: string]: unknown;
};
/** Voicemail settings */ readonly voicemail?: {
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** How often to try */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between tries */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each try */ readonly schedule?: readonly (number)[];
/** Seconds to let it ring */ readonly timeout_s?: number;
};
};
};
/** What is switched on */ readonly features?: readonly (string)[];
}
/** A user */
export interface UserChanges {
/** Id */ readonly id?: string | null;
/** Name to sign in with; stored in lower case */ readonly username?: string | null;
/** Password; changing it ends all tokens of the user */ readonly password?: string | null;
/** Given name */ readonly first_name?: string | null;
/** Family name */ readonly last_name?: string | null;
/** E-mail address */ readonly email?: string | null;
/** Role in the account */ readonly priv_level?: string | null;
/** May sign in and place calls */ readonly enabled?: boolean | null;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string | null;
/** Language, such as en-US */ readonly language?: string | null;
/** Number or name whose presence the user publishes */ readonly presence_id?: string | null;
/** Feature level of the user */ readonly feature_level?: string | null;
/** Must choose a new password at the next sign-in */ readonly require_password_update?: boolean | null;
/** E-mail address was verified */ readonly verified?: boolean | null;
/** Send voicemail by e-mail */ readonly vm_to_email_enabled?: boolean | null;
/** Call forwarding */ readonly call_forward?: {
/** Only calls to the user, not to a group */ readonly direct_calls_only?: boolean | null;
/** Forward calls */ readonly enabled?: boolean | null;
/** Only when no device of the user is reachable */ readonly failover?: boolean | null;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean | null;
/** Show the caller's number */ readonly keep_caller_id?: boolean | null;
/** Number to forward to */ readonly number?: string | null;
/** Ask for a key before connecting */ readonly require_keypress?: boolean | null;
/** Ring the number instead of the user's devices */ readonly substitute?: boolean | null;
} | null;
/** Recording by direction of the call */ readonly call_recording?: {
/** Recording settings by where the call comes from */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings by where the call comes from */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings by where the call comes from */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** Where the recording is sent */ readonly url?: string | null;
} | null;
} | null;
} | null;
/** Restrictions by classifier: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: unknown } | null;
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name shown */ readonly name?: string | null;
/** Number shown */ readonly number?: string | null;
/** Realm of the asserted identity */ readonly realm?: string | null;
} | null;
/** Shown on emergency calls */ readonly emergency?: {
/** Name shown */ readonly name?: string | null;
/** Number shown */ readonly number?: string | null;
} | null;
/** Shown outside the account */ readonly external?: {
/** Name shown */ readonly name?: string | null;
/** Number shown */ readonly number?: string | null;
} | null;
/** Shown inside the account */ readonly internal?: {
/** Name shown */ readonly name?: string | null;
/** Number shown */ readonly number?: string | null;
} | null;
} | null;
/** Caller id options */ readonly caller_id_options?: {
/** What is hidden on outbound calls */ readonly outbound_privacy?: string | null;
} | null;
/** Place in the contact list */ readonly contact_list?: {
/** Leave the user out */ readonly exclude?: boolean | null;
readonly [key: string]: unknown;
} | null;
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: {
/** Shared dial plans to apply */ readonly system?: readonly (string)[] | null;
readonly [key: string]: unknown;
} | null;
/** Directories the user is in: directory id to callflow id */ readonly directories?: { readonly [key: string]: string | null } | null;
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Free words to filter by */ readonly flags?: readonly (string)[] | null;
/** Formatters by field */ readonly formatters?: { readonly [key: string]: readonly ({
/** Calls it applies to */ readonly direction?: "inbound" | "outbound" | "both" | (string & {});
/** Use the invite format of the endpoint */ readonly match_invite_format?: boolean;
/** Put before the match */ readonly prefix?: string;
/** Expression that selects what is kept */ readonly regex?: string;
/** Remove the field */ readonly strip?: boolean;
/** Put after the match */ readonly suffix?: string;
/** Replace by this value */ readonly value?: string;
})[] | null } | null;
/** Hot desking */ readonly hotdesk?: {
/** May use any phone */ readonly enabled?: boolean | null;
/** Number to sign in with */ readonly id?: string | null;
/** Stay signed in on other phones */ readonly keep_logged_in_elsewhere?: boolean | null;
/** PIN to sign in with */ readonly pin?: string | null;
/** Ask for the PIN */ readonly require_pin?: boolean | null;
readonly [key: string]: unknown;
} | null;
/** Media settings */ readonly media?: {
/** Audio settings */ readonly audio?: {
/** Codecs, best first */ readonly codecs?: readonly ("OPUS" | "CELT@32000h" | "G7221@32000h" | "G7221@16000h" | "G722" | "speex@32000h" | "speex@16000h" | "PCMU" | "PCMA" | "G729" | "GSM" | "CELT@48000h" | "CELT@64000h" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "speex" | (string & {}))[] | null;
readonly [key: string]: unknown;
} | null;
/** Let media flow directly between endpoints */ readonly bypass_media?: boolean | string | null;
/** Encryption settings */ readonly encryption?: {
/** Refuse calls that are not encrypted */ readonly enforce_security?: boolean | null;
/** Ways of encryption */ readonly methods?: readonly ("zrtp" | "srtp" | (string & {}))[] | null;
readonly [key: string]: unknown;
} | null;
/** Support faxes */ readonly fax_option?: boolean | null;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean | null;
/** Seconds to wait for progress */ readonly progress_timeout?: number | null;
/** Video settings */ readonly video?: {
/** Codecs, best first */ readonly codecs?: readonly ("H261" | "H263" | "H264" | "VP8" | (string & {}))[] | null;
readonly [key: string]: unknown;
} | null;
} | null;
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow */ readonly binding_digit?: string | null;
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number | null;
/** Which leg may dial */ readonly listen_on?: string | null;
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown } | null;
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown } | null;
} | null;
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string | null;
readonly [key: string]: unknown;
} | null;
/** Personal details, as in a vCard */ readonly profile?: {
/** Addresses */ readonly addresses?: readonly ({
/** Address */ readonly address?: string;
/** Kinds: home, work, postal, … */ readonly types?: readonly ("dom" | "postal" | "intl" | "parcel" | "home" | "work" | "pref" | (string & {}))[];
})[] | null;
/** Assistant */ readonly assistant?: string | null;
/** Birthday */ readonly birthday?: string | null;
/** Nicknames */ readonly nicknames?: readonly (string)[] | null;
/** Note */ readonly note?: string | null;
/** Role */ readonly role?: string | null;
/** Sort by this */ readonly "sort-string"?: string | null;
/** Title */ readonly title?: string | null;
} | null;
/** Recording of the name */ readonly pronounced_name?: {
/** Media id */ readonly media_id?: string | null;
} | null;
/** Ring tones */ readonly ringtones?: {
/** For calls inside the account */ readonly internal?: string | null;
/** For calls from outside */ readonly external?: string | null;
readonly [key: string]: unknown;
} | null;
/** Voicemail settings */ readonly voicemail?: {
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** How often to try */ readonly attempts?: number | null;
/** Do not call back */ readonly disabled?: boolean | null;
/** Seconds between tries */ readonly interval_s?: number | null;
/** Number to call */ readonly number?: string | null;
/** Seconds to wait before each try */ readonly schedule?: readonly (number)[] | null;
/** Seconds to let it ring */ readonly timeout_s?: number | null;
} | null;
} | null;
} | null;
/** What is switched on */ readonly features?: readonly (string)[] | null;
}
/** A user */
export interface UserInput {
/** Name to sign in with; stored in lower case */ readonly username?: string;
/** Password; changing it ends all tokens of the user */ readonly password?: string;
/** Given name */ readonly first_name: string;
/** Family name */ readonly last_name: string;
/** E-mail address */ readonly email?: string;
/** Role in the account ("user" where left out) */ readonly priv_level?: "user" | "admin" | (string & {});
/** May sign in and place calls (true where left out) */ readonly enabled?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Language, such as en-US */ readonly language?: string;
/** Number or name whose presence the user publishes */ readonly presence_id?: string;
/** Feature level of the user */ readonly feature_level?: string;
/** Must choose a new password at the next sign-in (false where left out) */ readonly require_password_update?: boolean;
/** E-mail address was verified (false where left out) */ readonly verified?: boolean;
/** Send voicemail by e-mail (true where left out) */ readonly vm_to_email_enabled?: boolean;
/** Call forwarding */ readonly call_forward?: {
/** Only calls to the user, not to a group (false where left out) */ readonly direct_calls_only?: boolean;
/** Forward calls (false where left out) */ readonly enabled?: boolean;
/** Only when no device of the user is reachable (false where left out) */ readonly failover?: boolean;
/** Ignore media before the answer (true where left out) */ readonly ignore_early_media?: boolean;
/** Show the caller's number (true where left out) */ readonly keep_caller_id?: boolean;
/** Number to forward to */ readonly number?: string;
/** Ask for a key before connecting (true where left out) */ readonly require_keypress?: boolean;
/** Ring the number instead of the user's devices (true where left out) */ readonly substitute?: boolean;
};
/** Recording by direction of the call */ readonly call_recording?: {
/** Recording settings by where the call comes from */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
/** Recording settings by where the call comes from */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** Where the recording is sent */ readonly url?: string;
};
};
};
/** Restrictions by classifier: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: unknown };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name shown */ readonly name?: string;
/** Number shown */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** What is hidden on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
};
/** Place in the contact list */ readonly contact_list?: {
/** Leave the user out */ readonly exclude?: boolean;
readonly [key: string]: unknown;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: {
/** Shared dial plans to apply */ readonly system?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Directories the user is in: directory id to callflow id */ readonly directories?: { readonly [key: string]: string };
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: readonly ({
/** Calls it applies to */ readonly direction?: "inbound" | "outbound" | "both" | (string & {});
/** Use the invite format of the endpoint */ readonly match_invite_format?: boolean;
/** Put before the match */ readonly prefix?: string;
/** Expression that selects what is kept */ readonly regex?: string;
/** Remove the field */ readonly strip?: boolean;
/** Put after the match */ readonly suffix?: string;
/** Replace by this value */ readonly value?: string;
})[] };
/** Hot desking */ readonly hotdesk?: {
/** May use any phone (false where left out) */ readonly enabled?: boolean;
/** Number to sign in with */ readonly id?: string;
/** Stay signed in on other phones (false where left out) */ readonly keep_logged_in_elsewhere?: boolean;
/** PIN to sign in with */ readonly pin?: string;
/** Ask for the PIN (false where left out) */ readonly require_pin?: boolean;
readonly [key: string]: unknown;
};
/** Media settings */ readonly media?: {
/** Audio settings */ readonly audio?: {
/** Codecs, best first */ readonly codecs?: readonly ("OPUS" | "CELT@32000h" | "G7221@32000h" | "G7221@16000h" | "G722" | "speex@32000h" | "speex@16000h" | "PCMU" | "PCMA" | "G729" | "GSM" | "CELT@48000h" | "CELT@64000h" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "speex" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Let media flow directly between endpoints */ readonly bypass_media?: boolean | string;
/** Encryption settings */ readonly encryption?: {
/** Refuse calls that are not encrypted */ readonly enforce_security?: boolean;
/** Ways of encryption */ readonly methods?: readonly ("zrtp" | "srtp" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Support faxes */ readonly fax_option?: boolean;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean;
/** Seconds to wait for progress */ readonly progress_timeout?: number;
/** Video settings */ readonly video?: {
/** Codecs, best first */ readonly codecs?: readonly ("H261" | "H263" | "H264" | "VP8" | (string & {}))[];
readonly [key: string]: unknown;
};
};
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow ("*" where left out) */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Which leg may dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialled number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Personal details, as in a vCard */ readonly profile?: {
/** Addresses */ readonly addresses?: readonly ({
/** Address */ readonly address?: string;
/** Kinds: home, work, postal, … */ readonly types?: readonly ("dom" | "postal" | "intl" | "parcel" | "home" | "work" | "pref" | (string & {}))[];
})[];
/** Assistant */ readonly assistant?: string;
/** Birthday */ readonly birthday?: string;
/** Nicknames */ readonly nicknames?: readonly (string)[];
/** Note */ readonly note?: string;
/** Role */ readonly role?: string;
/** Sort by this */ readonly "sort-string"?: string;
/** Title */ readonly title?: string;
};
/** Recording of the name */ readonly pronounced_name?: {
/** Media id */ readonly media_id?: string;
};
/** Ring tones */ readonly ringtones?: {
/** For calls inside the account */ readonly internal?: string;
/** For calls from outside */ readonly external?: string;
readonly [key: string]: unknown;
};
/** Voicemail settings */ readonly voicemail?: {
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** How often to try */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between tries */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each try */ readonly schedule?: readonly (number)[];
/** Seconds to let it ring */ readonly timeout_s?: number;
};
};
};
}
/** A voicemail box */
export interface VmboxRecord {
/** Id */ readonly id: string;
/** Number of the box */ readonly mailbox?: string;
/** Name */ readonly name?: string;
/** Plays a greeting, takes no message */ readonly announcement_only?: boolean;
/** Owner's call goes to the messages */ readonly check_if_owner?: boolean;
/** Delete a message once it was sent */ readonly delete_after_notify?: boolean;
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Send the recording along */ readonly include_message_on_notify?: boolean;
/** Send the transcription along */ readonly include_transcription_on_notify?: boolean;
/** Owner has set it up */ readonly is_setup?: boolean;
/** Owner may wind forward and back */ readonly is_voicemail_ff_rw_enabled?: boolean;
/** Greetings */ readonly media?: {
/** Media id of the greeting */ readonly unavailable?: string;
readonly [key: string]: unknown;
};
/** File format of the messages */ readonly media_extension?: "mp3" | "mp4" | "wav" | (string & {});
/** Owner may not change it */ readonly not_configurable?: boolean;
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** How often to try */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between tries */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each try */ readonly schedule?: readonly (number)[];
/** Seconds to let it ring */ readonly timeout_s?: number;
};
};
/** Addresses told of a new message */ readonly notify_email_addresses?: readonly (string)[];
/** Play the oldest message first */ readonly oldest_message_first?: boolean;
/** Number that callers reach instead */ readonly operator_number?: number | string;
/** User who owns it */ readonly owner_id?: string;
/** PIN of the box */ readonly pin?: string;
/** Ask for the PIN */ readonly require_pin?: boolean;
/** Save a message once it was sent */ readonly save_after_notify?: boolean;
/** How far to wind, in milliseconds */ readonly seek_duration_ms?: number;
/** Say no date and number */ readonly skip_envelope?: boolean;
/** Play no greeting */ readonly skip_greeting?: boolean;
/** Play no instructions */ readonly skip_instructions?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Transcribe messages */ readonly transcribe?: boolean;
/** How many messages there are */ readonly messages?: number;
/** How many messages are new and saved */ readonly folders?: { readonly [key: string]: unknown };
}
/** A voicemail box */
export interface VmboxChanges {
/** Id */ readonly id?: string | null;
/** Number of the box */ readonly mailbox?: string | null;
/** Name */ readonly name?: string | null;
/** Plays a greeting, takes no message */ readonly announcement_only?: boolean | null;
/** Owner's call goes to the messages */ readonly check_if_owner?: boolean | null;
/** Delete a message once it was sent */ readonly delete_after_notify?: boolean | null;
/** Free words to filter by */ readonly flags?: readonly (string)[] | null;
/** Send the recording along */ readonly include_message_on_notify?: boolean | null;
/** Send the transcription along */ readonly include_transcription_on_notify?: boolean | null;
/** Owner has set it up */ readonly is_setup?: boolean | null;
/** Owner may wind forward and back */ readonly is_voicemail_ff_rw_enabled?: boolean | null;
/** Greetings */ readonly media?: {
/** Media id of the greeting */ readonly unavailable?: string | null;
readonly [key: string]: unknown;
} | null;
/** File format of the messages */ readonly media_extension?: string | null;
/** Owner may not change it */ readonly not_configurable?: boolean | null;
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** How often to try */ readonly attempts?: number | null;
/** Do not call back */ readonly disabled?: boolean | null;
/** Seconds between tries */ readonly interval_s?: number | null;
/** Number to call */ readonly number?: string | null;
/** Seconds to wait before each try */ readonly schedule?: readonly (number)[] | null;
/** Seconds to let it ring */ readonly timeout_s?: number | null;
} | null;
} | null;
/** Addresses told of a new message */ readonly notify_email_addresses?: readonly (string)[] | null;
/** Play the oldest message first */ readonly oldest_message_first?: boolean | null;
/** Number that callers reach instead */ readonly operator_number?: number | string | null;
/** User who owns it */ readonly owner_id?: string | null;
/** PIN of the box */ readonly pin?: string | null;
/** Ask for the PIN */ readonly require_pin?: boolean | null;
/** Save a message once it was sent */ readonly save_after_notify?: boolean | null;
/** How far to wind, in milliseconds */ readonly seek_duration_ms?: number | null;
/** Say no date and number */ readonly skip_envelope?: boolean | null;
/** Play no greeting */ readonly skip_greeting?: boolean | null;
/** Play no instructions */ readonly skip_instructions?: boolean | null;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string | null;
/** Transcribe messages */ readonly transcribe?: boolean | null;
/** How many messages there are */ readonly messages?: number | null;
/** How many messages are new and saved */ readonly folders?: { readonly [key: string]: unknown } | null;
}
/** A voicemail box */
export interface VmboxInput {
/** Number of the box */ readonly mailbox: string;
/** Name */ readonly name: string;
/** Plays a greeting, takes no message (false where left out) */ readonly announcement_only?: boolean;
/** Owner's call goes to the messages (true where left out) */ readonly check_if_owner?: boolean;
/** Delete a message once it was sent (false where left out) */ readonly delete_after_notify?: boolean;
/** Free words to filter by */ readonly flags?: readonly (string)[];
/** Send the recording along (true where left out) */ readonly include_message_on_notify?: boolean;
/** Send the transcription along (true where left out) */ readonly include_transcription_on_notify?: boolean;
/** Owner has set it up (false where left out) */ readonly is_setup?: boolean;
/** Owner may wind forward and back (false where left out) */ readonly is_voicemail_ff_rw_enabled?: boolean;
/** Greetings */ readonly media?: {
/** Media id of the greeting */ readonly unavailable?: string;
readonly [key: string]: unknown;
};
/** File format of the messages ("mp3" where left out) */ readonly media_extension?: "mp3" | "mp4" | "wav" | (string & {});
/** Owner may not change it (false where left out) */ readonly not_configurable?: boolean;
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** How often to try */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between tries */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each try */ readonly schedule?: readonly (number)[];
/** Seconds to let it ring */ readonly timeout_s?: number;
};
};
/** Addresses told of a new message */ readonly notify_email_addresses?: readonly (string)[];
/** Play the oldest message first (false where left out) */ readonly oldest_message_first?: boolean;
/** Number that callers reach instead */ readonly operator_number?: number | string;
/** User who owns it */ readonly owner_id?: string;
/** PIN of the box */ readonly pin?: string;
/** Ask for the PIN (false where left out) */ readonly require_pin?: boolean;
/** Save a message once it was sent (false where left out) */ readonly save_after_notify?: boolean;
/** How far to wind, in milliseconds (10000 where left out) */ readonly seek_duration_ms?: number;
/** Say no date and number (false where left out) */ readonly skip_envelope?: boolean;
/** Play no greeting (false where left out) */ readonly skip_greeting?: boolean;
/** Play no instructions (false where left out) */ readonly skip_instructions?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Transcribe messages (false where left out) */ readonly transcribe?: boolean;
}
/** A subscription to events */
export interface WebhookRecord {
/** Id */ readonly id: string;
/** Friendly name */ readonly name?: string;
/** Endpoint that receives the events */ readonly uri?: string;
/** Event to subscribe to */ readonly hook?: "channel_create" | "channel_answer" | "channel_destroy" | "channel_bridge" | "sms" | "notifications" | "fax" | "object" | "all" | (string & {});
/** Method of the requests */ readonly http_verb?: "get" | "post" | "put";
/** Body of the requests */ readonly format?: "form-data" | "json";
/** How often to retry after a failure */ readonly retries?: number;
/** Deliver events */ readonly enabled?: boolean;
/** Events of the accounts below, too */ readonly include_subaccounts?: boolean;
/** Properties merged into every payload; may hold a shared secret */ readonly custom_data?: { readonly [key: string]: unknown };
/** Events of loop-back legs, too */ readonly include_internal_legs?: boolean;
/** Only events with these values */ readonly modifiers?: { readonly [key: string]: unknown };
/** Why the service disabled it */ readonly disable_reason?: string;
}
/** A subscription to events */
export interface WebhookChanges {
/** Id */ readonly id?: string | null;
/** Friendly name */ readonly name?: string | null;
/** Endpoint that receives the events */ readonly uri?: string | null;
/** Event to subscribe to */ readonly hook?: string | null;
/** Method of the requests */ readonly http_verb?: string | null;
/** Body of the requests */ readonly format?: string | null;
/** How often to retry after a failure */ readonly retries?: number | null;
/** Deliver events */ readonly enabled?: boolean | null;
/** Events of the accounts below, too */ readonly include_subaccounts?: boolean | null;
/** Properties merged into every payload; may hold a shared secret */ readonly custom_data?: { readonly [key: string]: unknown } | null;
/** Events of loop-back legs, too */ readonly include_internal_legs?: boolean | null;
/** Only events with these values */ readonly modifiers?: { readonly [key: string]: unknown } | null;
/** Why the service disabled it */ readonly disable_reason?: string | null;
}
/** A subscription to events */
export interface WebhookInput {
/** Friendly name */ readonly name: string;
/** Endpoint that receives the events */ readonly uri: string;
/** Event to subscribe to */ readonly hook: "channel_create" | "channel_answer" | "channel_destroy" | "channel_bridge" | "sms" | "notifications" | "fax" | "object" | "all" | (string & {});
/** Method of the requests ("post" where left out) */ readonly http_verb?: "get" | "post" | "put";
/** Body of the requests ("form-data" where left out) */ readonly format?: "form-data" | "json";
/** How often to retry after a failure (2 where left out) */ readonly retries?: number;
/** Deliver events (true where left out) */ readonly enabled?: boolean;
/** Events of the accounts below, too (false where left out) */ readonly include_subaccounts?: boolean;
/** Properties merged into every payload; may hold a shared secret */ readonly custom_data?: { readonly [key: string]: unknown };
/** Events of loop-back legs, too (true where left out) */ readonly include_internal_legs?: boolean;
/** Only events with these values */ readonly modifiers?: { readonly [key: string]: unknown };
}

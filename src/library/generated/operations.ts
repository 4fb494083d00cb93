// Made from the contract by npm run generate. Change src/contract/resources instead.
import type { CallOptions, Records, Sent, SentFile } from '../client-types.ts';

/** The operations of the service, by resource and verb. */
export interface Operations {
/** Customers: names, realms, defaults for their users and devices, API keys. */ readonly accounts: {
/** List the accounts directly below an account. */ list(options?: CallOptions): Records<AccountRecord>;
/** List all accounts below an account. */ descendants(options?: CallOptions): Records<AccountRecord>;
/** List the accounts from the caller's account to the parent of an account. */ tree(options?: CallOptions): Records<AccountRecord>;
/** List the accounts above an account, from the top. */ parents(options?: CallOptions): Records<AccountRecord>;
/** Make an account a reseller of the accounts below it. */ promote(options?: CallOptions): Sent<AccountRecord>;
/** Demote a reseller; its customers move to the reseller above it. */ demote(options?: CallOptions): Sent<AccountRecord>;
/** Show one account. */ get(account_id: string, options?: CallOptions): Sent<AccountRecord>;
/** Create an account below another. */ create(data: AccountInput, options?: CallOptions): Sent<AccountRecord>;
/** Replace an account; missing fields are removed. */ update(account_id: string, data: AccountInput, options?: CallOptions): Sent<AccountRecord>;
/** Change fields of an account. */ patch(account_id: string, data: AccountChanges, options?: CallOptions): Sent<AccountRecord>;
/** Delete an account. */ delete(account_id: string, options?: CallOptions): Sent<AccountRecord>;
/** Show the account's API key. */ apiKey(options?: CallOptions): Sent<{
/** API key of the account */ readonly api_key?: string;
}>;
/** Replace the account's API key; the old one stops working immediately. */ rotateApiKey(data?: { readonly [key: string]: unknown }, options?: CallOptions): Sent<{
/** API key of the account */ readonly api_key?: string;
}>;
/** Replace the account's API key by PUT, if the service expects that; the old one stops working immediately. */ putApiKey(data: { readonly [key: string]: unknown }, options?: CallOptions): Sent<{
/** API key of the account */ readonly api_key?: string;
}>;
};
/** People: names, passwords, forwarding, voicemail settings. */ readonly users: {
/** List users. */ list(options?: CallOptions): Records<UserRecord>;
/** Show one user. */ get(user_id: string, options?: CallOptions): Sent<UserRecord>;
/** Create a user. */ create(data: UserInput, options?: CallOptions): Sent<UserRecord>;
/** Replace a user; missing fields are removed. */ update(user_id: string, data: UserInput, options?: CallOptions): Sent<UserRecord>;
/** Change fields of a user. */ patch(user_id: string, data: UserChanges, options?: CallOptions): Sent<UserRecord>;
/** Delete a user. */ delete(user_id: string, options?: CallOptions): Sent<UserRecord>;
/** Show a user's vCard. */ vcard(user_id: string, options: CallOptions & { readonly accept: "text/x-vcard" | "text/directory" }): Sent<string>;
/** Show a user's vCard. */ vcard(user_id: string, options?: CallOptions): Sent<UserRecord>;
};
/** Networks that one phone may register from. */ readonly device_access_lists: {
/** Show the networks that a phone may register from. */ get(device_id: string, options?: CallOptions): Sent<DeviceAccessListRecord>;
/** Replace the networks that a phone may register from. */ update(device_id: string, data: DeviceAccessListInput, options?: CallOptions): Sent<DeviceAccessListRecord>;
/** Remove the networks that a phone may register from. */ delete(device_id: string, options?: CallOptions): Sent<DeviceAccessListRecord>;
};
/** SIP request limits of one device. */ readonly device_rate_limits: {
/** Show the limits of SIP requests of a device. */ get(device_id: string, options?: CallOptions): Sent<DeviceRateLimitRecord>;
/** Replace the limits of SIP requests of a device. */ update(device_id: string, data: DeviceRateLimitInput, options?: CallOptions): Sent<DeviceRateLimitRecord>;
/** Remove the limits of SIP requests of a device. */ delete(device_id: string, options?: CallOptions): Sent<DeviceRateLimitRecord>;
};
/** Phones: SIP credentials, owners, forwarding, registration. */ readonly devices: {
/** List devices. */ list(options?: CallOptions): Records<DeviceRecord>;
/** Show one device. */ get(device_id: string, options?: CallOptions): Sent<DeviceRecord>;
/** Create a device. */ create(data: DeviceInput, options?: CallOptions): Sent<DeviceRecord>;
/** Replace a device; missing fields are removed. */ update(device_id: string, data: DeviceInput, options?: CallOptions): Sent<DeviceRecord>;
/** Change fields of a device. */ patch(device_id: string, data: DeviceChanges, options?: CallOptions): Sent<DeviceRecord>;
/** Delete a device. */ delete(device_id: string, options?: CallOptions): Sent<DeviceRecord>;
/** List registered devices. */ status(options?: CallOptions): Records<{
/** Id of the device */ readonly device_id: string;
/** Always true: only registered devices are listed */ readonly registered: boolean;
}>;
/** Ask a device to reload its settings; it may restart. */ sync(device_id: string, data?: { readonly [key: string]: unknown }, options?: CallOptions): Sent<string>;
/** Send a NOTIFY to a device. */ notify(device_id: string, data: {
/** Event and text */ readonly data: {
/** Event, such as check-sync */ readonly event: string;
/** Text to send */ readonly body?: {
/** Content type of the text */ readonly content_type: string;
/** Text to send */ readonly data: string;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
};
}, options?: CallOptions): Sent<string>;
/** Ring the phone of a device and then call a number, and wait for it. */ quickcall(device_id: string, number: string, options?: CallOptions<{ /** true to remove punctuation from the number, false to keep it */ readonly number_filter?: string; /** true to ask the phone to answer automatically */ readonly auto_answer?: string; /** Seconds to wait for an answer (default: 30) */ readonly timeout?: string; /** Name shown to the callee */ readonly "cid-name"?: string; /** Number shown to the callee */ readonly "cid-number"?: string; }>): Sent<{ readonly [key: string]: unknown }>;
/** Ring the phone of a device and then call a number. */ startQuickcall(device_id: string, number: string, options?: CallOptions<{ /** true to remove punctuation from the number, false to keep it */ readonly number_filter?: string; /** true to ask the phone to answer automatically */ readonly auto_answer?: string; /** Seconds to wait for an answer (default: 30) */ readonly timeout?: string; /** Name shown to the callee */ readonly "cid-name"?: string; /** Number shown to the callee */ readonly "cid-number"?: string; }>): Sent<{ readonly [key: string]: unknown }>;
/** Ring the phone of a user and then call a number, and wait for it. */ quickcallOfUser(user_id: string, number: string, options?: CallOptions<{ /** true to remove punctuation from the number, false to keep it */ readonly number_filter?: string; /** true to ask the phone to answer automatically */ readonly auto_answer?: string; /** Seconds to wait for an answer (default: 30) */ readonly timeout?: string; /** Name shown to the callee */ readonly "cid-name"?: string; /** Number shown to the callee */ readonly "cid-number"?: string; }>): Sent<{ readonly [key: string]: unknown }>;
/** Ring the phone of a user and then call a number. */ startQuickcallOfUser(user_id: string, number: string, options?: CallOptions<{ /** true to remove punctuation from the number, false to keep it */ readonly number_filter?: string; /** true to ask the phone to answer automatically */ readonly auto_answer?: string; /** Seconds to wait for an answer (default: 30) */ readonly timeout?: string; /** Name shown to the callee */ readonly "cid-name"?: string; /** Number shown to the callee */ readonly "cid-number"?: string; }>): Sent<{ readonly [key: string]: unknown }>;
/** List the devices of a user, including those where the user is signed in. */ listOfUser(user_id: string, options?: CallOptions): Records<DeviceRecord>;
/** Create a device; the owner comes from the body, not from the path. */ createBelowUser(user_id: string, data: DeviceInput, options?: CallOptions): Sent<DeviceRecord>;
};
/** Phones that are currently registered. */ readonly registrations: {
/** List registered phones. */ list(options?: CallOptions): Records<RegistrationRecord>;
/** Count registered phones. */ count(options?: CallOptions): Sent<{
/** Number of registrations */ readonly count: number;
}>;
/** End the registrations of a SIP user name. */ end(username: string, options?: CallOptions): Sent<string>;
/** End all registrations of an account. */ endAll(options?: CallOptions): Sent<string>;
/** List registered phones of all accounts. */ listEverywhere(options?: CallOptions): Records<RegistrationRecord>;
/** Count registered phones of all accounts. */ countEverywhere(options?: CallOptions): Sent<{
/** Number of registrations */ readonly count: number;
}>;
};
/** Users signed in on other users' phones. */ readonly hotdesks: {
/** List users and the phones where they are signed in. */ list(options?: CallOptions): Records<HotdeskRecord>;
/** List the phones where a user is signed in. */ ofUser(user_id: string, options?: CallOptions): Records<HotdeskRecord>;
/** List the users signed in on a phone. */ ofDevice(device_id: string, options?: CallOptions): Records<HotdeskRecord>;
};
/** Comments on users and devices. */ readonly comments: {
/** List the comments on a user. */ listOfUser(user_id: string, options?: CallOptions): Records<CommentRecord>;
/** Add comments to a user. */ addToUser(user_id: string, data: {
/** Comments, oldest first */ readonly comments?: readonly ({
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
})[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{
/** Comments, oldest first */ readonly comments?: readonly ({
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
})[];
readonly [key: string]: unknown;
}>;
/** Remove all comments on a user. */ clearOfUser(user_id: string, options?: CallOptions): Sent<{
/** Comments, oldest first */ readonly comments?: readonly ({
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
})[];
readonly [key: string]: unknown;
}>;
/** Show one comment on a user, by its place. */ getOfUser(user_id: string, comment_id: string, options?: CallOptions): Sent<CommentRecord>;
/** Replace a comment on a user, by its place. */ updateOfUser(user_id: string, comment_id: string, data: {
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
}, options?: CallOptions): Sent<CommentRecord>;
/** Remove a comment on a user, by its place. */ deleteOfUser(user_id: string, comment_id: string, options?: CallOptions): Sent<{
/** Comments, oldest first */ readonly comments?: readonly ({
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
})[];
readonly [key: string]: unknown;
}>;
/** List the comments on a device. */ listOfDevice(device_id: string, options?: CallOptions): Records<CommentRecord>;
/** Add comments to a device. */ addToDevice(device_id: string, data: {
/** Comments, oldest first */ readonly comments?: readonly ({
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
})[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{
/** Comments, oldest first */ readonly comments?: readonly ({
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
})[];
readonly [key: string]: unknown;
}>;
/** Remove all comments on a device. */ clearOfDevice(device_id: string, options?: CallOptions): Sent<{
/** Comments, oldest first */ readonly comments?: readonly ({
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
})[];
readonly [key: string]: unknown;
}>;
/** Show one comment on a device, by its place. */ getOfDevice(device_id: string, comment_id: string, options?: CallOptions): Sent<CommentRecord>;
/** Replace a comment on a device, by its place. */ updateOfDevice(device_id: string, comment_id: string, data: {
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
}, options?: CallOptions): Sent<CommentRecord>;
/** Remove a comment on a device, by its place. */ deleteOfDevice(device_id: string, comment_id: string, options?: CallOptions): Sent<{
/** Comments, oldest first */ readonly comments?: readonly ({
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
})[];
readonly [key: string]: unknown;
}>;
};
/** Users and devices that ring together. */ readonly groups: {
/** List groups. */ list(options?: CallOptions): Records<GroupRecord>;
/** Show one group. */ get(group_id: string, options?: CallOptions): Sent<GroupRecord>;
/** Create a group. */ create(data: GroupInput, options?: CallOptions): Sent<GroupRecord>;
/** Replace a group; missing fields are removed. */ update(group_id: string, data: GroupInput, options?: CallOptions): Sent<GroupRecord>;
/** Change fields of a group. */ patch(group_id: string, data: GroupChanges, options?: CallOptions): Sent<GroupRecord>;
/** Delete a group. */ delete(group_id: string, options?: CallOptions): Sent<GroupRecord>;
};
/** Call routing, by dialed number. */ readonly callflows: {
/** List callflows. */ list(options?: CallOptions): Records<CallflowRecord>;
/** Show one callflow. */ get(callflow_id: string, options?: CallOptions): Sent<CallflowRecord>;
/** Create a callflow. */ create(data: CallflowInput, options?: CallOptions): Sent<CallflowRecord>;
/** Replace a callflow; missing fields are removed. */ update(callflow_id: string, data: CallflowInput, options?: CallOptions): Sent<CallflowRecord>;
/** Change fields of a callflow. */ patch(callflow_id: string, data: CallflowChanges, options?: CallOptions): Sent<CallflowRecord>;
/** Delete a callflow. */ delete(callflow_id: string, options?: CallOptions): Sent<CallflowRecord>;
};
/** What callers can dial during a call. */ readonly metaflows: {
/** Show the metaflow settings. */ get(options?: CallOptions): Sent<MetaflowRecord>;
/** Replace the metaflow settings. */ update(data: MetaflowInput, options?: CallOptions): Sent<MetaflowRecord>;
/** Remove the metaflow settings. */ delete(options?: CallOptions): Sent<void>;
};
/** Menus that callers choose from. */ readonly menus: {
/** List menus. */ list(options?: CallOptions): Records<MenuRecord>;
/** Show one menu. */ get(menu_id: string, options?: CallOptions): Sent<MenuRecord>;
/** Create a menu. */ create(data: MenuInput, options?: CallOptions): Sent<MenuRecord>;
/** Replace a menu; missing fields are removed. */ update(menu_id: string, data: MenuInput, options?: CallOptions): Sent<MenuRecord>;
/** Change fields of a menu. */ patch(menu_id: string, data: MenuChanges, options?: CallOptions): Sent<MenuRecord>;
/** Delete a menu. */ delete(menu_id: string, options?: CallOptions): Sent<MenuRecord>;
};
/** Times at which callflows branch: opening hours, holidays. */ readonly temporal_rules: {
/** List temporal rules. */ list(options?: CallOptions): Records<TemporalRuleRecord>;
/** Show one temporal rule. */ get(rule_id: string, options?: CallOptions): Sent<TemporalRuleRecord>;
/** Create a temporal rule. */ create(data: TemporalRuleInput, options?: CallOptions): Sent<TemporalRuleRecord>;
/** Replace a temporal rule; missing fields are removed. */ update(rule_id: string, data: TemporalRuleInput, options?: CallOptions): Sent<TemporalRuleRecord>;
/** Change fields of a temporal rule. */ patch(rule_id: string, data: TemporalRuleChanges, options?: CallOptions): Sent<TemporalRuleRecord>;
/** Delete a temporal rule. */ delete(rule_id: string, options?: CallOptions): Sent<TemporalRuleRecord>;
};
/** Temporal rules that callflows test together, such as all holidays. */ readonly temporal_rules_sets: {
/** List temporal rule sets. */ list(options?: CallOptions): Records<TemporalRuleSetRecord>;
/** Show one temporal rule set. */ get(set_id: string, options?: CallOptions): Sent<TemporalRuleSetRecord>;
/** Create a temporal rule set. */ create(data: TemporalRuleSetInput, options?: CallOptions): Sent<TemporalRuleSetRecord>;
/** Replace a temporal rule set; missing fields are removed. */ update(set_id: string, data: TemporalRuleSetInput, options?: CallOptions): Sent<TemporalRuleSetRecord>;
/** Change fields of a temporal rule set. */ patch(set_id: string, data: TemporalRuleSetChanges, options?: CallOptions): Sent<TemporalRuleSetRecord>;
/** Delete a temporal rule set. */ delete(set_id: string, options?: CallOptions): Sent<TemporalRuleSetRecord>;
};
/** Dial by name. */ readonly directories: {
/** List directories. */ list(options?: CallOptions): Records<DirectoryRecord>;
/** Show one directory. */ get(directory_id: string, options?: CallOptions): Sent<DirectoryRecord>;
/** Create a directory. */ create(data: DirectoryInput, options?: CallOptions): Sent<DirectoryRecord>;
/** Replace a directory; missing fields are removed. */ update(directory_id: string, data: DirectoryInput, options?: CallOptions): Sent<DirectoryRecord>;
/** Change fields of a directory. */ patch(directory_id: string, data: DirectoryChanges, options?: CallOptions): Sent<DirectoryRecord>;
/** Delete a directory. */ delete(directory_id: string, options?: CallOptions): Sent<DirectoryRecord>;
};
/** Audio for prompts, greetings and music on hold. */ readonly media: {
/** List media. */ list(options?: CallOptions): Records<MediumRecord>;
/** Show one medium. */ get(media_id: string, options?: CallOptions): Sent<MediumRecord>;
/** Create a medium. */ create(data: MediumInput, options?: CallOptions): Sent<MediumRecord>;
/** Replace a medium; missing fields are removed. */ update(media_id: string, data: MediumInput, options?: CallOptions): Sent<MediumRecord>;
/** Delete a medium. */ delete(media_id: string, options?: CallOptions): Sent<MediumRecord>;
/** Download the file of a medium. */ download(media_id: string, options?: CallOptions): Sent<SentFile>;
/** Upload the file of a medium, replacing the current one. */ upload(media_id: string, file: SentFile, options?: CallOptions): Sent<MediumRecord>;
/** Count media by language. */ languages(options?: CallOptions): Records<{ readonly [key: string]: number }>;
/** List the ids of the media in a language. */ language(language: string, options?: CallOptions): Sent<readonly (string)[]>;
/** Count the languages of each prompt. */ prompts(options?: CallOptions): Records<{ readonly [key: string]: number }>;
/** List the media of one prompt. */ prompt(prompt_id: string, options?: CallOptions): Records<{
/** Id */ readonly id?: string;
/** Has a file */ readonly has_attachments?: boolean;
readonly [key: string]: unknown;
}>;
};
/** Lists of callers that callflows match against. */ readonly lists: {
/** List lists. */ list(options?: CallOptions): Records<MatchListRecord>;
/** Show one list. */ get(list_id: string, options?: CallOptions): Sent<MatchListRecord>;
/** Create a list. */ create(data: MatchListInput, options?: CallOptions): Sent<MatchListRecord>;
/** Replace a list; missing fields are removed. */ update(list_id: string, data: MatchListInput, options?: CallOptions): Sent<MatchListRecord>;
/** Change fields of a list. */ patch(list_id: string, data: MatchListChanges, options?: CallOptions): Sent<MatchListRecord>;
/** Delete a list. */ delete(list_id: string, options?: CallOptions): Sent<MatchListRecord>;
};
/** Entries of a list of callers. */ readonly list_entries: {
/** List the entries of a list. */ list(list_id: string, options?: CallOptions): Records<ListEntryRecord>;
/** Show one entry of a list. */ get(list_id: string, entry_id: string, options?: CallOptions): Sent<ListEntryRecord>;
/** Create an entry of a list. */ create(list_id: string, data: ListEntryInput, options?: CallOptions): Sent<ListEntryRecord>;
/** Replace an entry of a list; missing fields are removed. */ update(list_id: string, entry_id: string, data: ListEntryInput, options?: CallOptions): Sent<ListEntryRecord>;
/** Change fields of an entry of a list. */ patch(list_id: string, entry_id: string, data: ListEntryChanges, options?: CallOptions): Sent<ListEntryRecord>;
/** Delete an entry of a list. */ delete(list_id: string, entry_id: string, options?: CallOptions): Sent<ListEntryRecord>;
/** Remove all entries of a list. */ clear(list_id: string, options?: CallOptions): Records<ListEntryRecord>;
};
/** Callers to refuse; an account lists its active blacklists. */ readonly blacklists: {
/** List blacklists. */ list(options?: CallOptions): Records<BlacklistRecord>;
/** Show one blacklist. */ get(blacklist_id: string, options?: CallOptions): Sent<BlacklistRecord>;
/** Create a blacklist. */ create(data: BlacklistInput, options?: CallOptions): Sent<BlacklistRecord>;
/** Replace a blacklist; missing fields are removed. */ update(blacklist_id: string, data: BlacklistInput, options?: CallOptions): Sent<BlacklistRecord>;
/** Change fields of a blacklist. */ patch(blacklist_id: string, data: BlacklistChanges, options?: CallOptions): Sent<BlacklistRecord>;
/** Delete a blacklist. */ delete(blacklist_id: string, options?: CallOptions): Sent<BlacklistRecord>;
};
/** Conference rooms: numbers, PINs, tones. */ readonly conferences: {
/** List conferences. */ list(options?: CallOptions): Records<ConferenceRecord>;
/** Show one conference. */ get(conference_id: string, options?: CallOptions): Sent<ConferenceRecord>;
/** Create a conference. */ create(data: ConferenceInput, options?: CallOptions): Sent<ConferenceRecord>;
/** Replace a conference; missing fields are removed. */ update(conference_id: string, data: ConferenceInput, options?: CallOptions): Sent<ConferenceRecord>;
/** Change fields of a conference. */ patch(conference_id: string, data: ConferenceChanges, options?: CallOptions): Sent<ConferenceRecord>;
/** Delete a conference. */ delete(conference_id: string, options?: CallOptions): Sent<ConferenceRecord>;
/** Lock or unlock a conference, play media, record it, or dial a participant. */ act(conference_id: string, data: {
/** What to do */ readonly action?: "lock" | "unlock" | "play" | "record" | "dial" | (string & {});
/** Parameters of the action */ readonly data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<ConferenceRecord | string | readonly (unknown)[] | string | readonly unknown[]>;
};
/** Participants of a running conference. */ readonly participants: {
/** List the participants of a conference. */ list(conference_id: string, options?: CallOptions): Records<ParticipantRecord>;
/** Show one participant. */ get(conference_id: string, participant_id: string, options?: CallOptions): Sent<ParticipantRecord>;
/** Mute, unmute, deafen, undeafen or remove a participant, or play media. */ update(conference_id: string, participant_id: string, data: {
/** What to do */ readonly action?: "mute" | "unmute" | "deaf" | "undeaf" | "kick" | "play" | (string & {});
/** Parameters of the action */ readonly data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<ConferenceRecord | string | readonly (unknown)[] | string | readonly unknown[]>;
/** Mute, unmute, deafen, undeafen or remove all participants of a conference. */ updateAll(conference_id: string, data: {
/** What to do */ readonly action?: "mute" | "unmute" | "deaf" | "undeaf" | "kick" | "play" | (string & {});
/** Parameters of the action */ readonly data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<ConferenceRecord | string | readonly (unknown)[] | string | readonly unknown[]>;
};
/** Voicemail boxes: numbers, PINs, notifications. */ readonly vmboxes: {
/** List vmboxes. */ list(options?: CallOptions): Records<VmboxRecord>;
/** Show one vmbox. */ get(vm_box_id: string, options?: CallOptions): Sent<VmboxRecord>;
/** Create a vmbox. */ create(data: VmboxInput, options?: CallOptions): Sent<VmboxRecord>;
/** Replace a vmbox; missing fields are removed. */ update(vm_box_id: string, data: VmboxInput, options?: CallOptions): Sent<VmboxRecord>;
/** Change fields of a vmbox. */ patch(vm_box_id: string, data: VmboxChanges, options?: CallOptions): Sent<VmboxRecord>;
/** Delete a vmbox. */ delete(vm_box_id: string, options?: CallOptions): Sent<VmboxRecord>;
};
/** Messages in a voicemail box. */ readonly messages: {
/** List messages. */ list(vm_box_id: string, options?: CallOptions): Records<MessageRecord>;
/** Show one message. */ get(vm_box_id: string, message_id: string, options?: CallOptions): Sent<MessageRecord>;
/** Leave a message in a box. */ create(vm_box_id: string, data: MessageInput, options?: CallOptions): Sent<MessageRecord>;
/** Move a message. */ update(vm_box_id: string, message_id: string, data: MessageChanges, options?: CallOptions): Sent<MessageRecord>;
/** Delete a message. */ delete(vm_box_id: string, message_id: string, options?: CallOptions): Sent<MessageRecord>;
/** Move several messages to a folder. */ moveAll(vm_box_id: string, data: {
/** Ids of the messages (default: all messages of the mailbox) */ readonly messages?: readonly (string)[];
/** Folder of the message */ readonly folder?: "new" | "saved" | "deleted" | (string & {});
}, options?: CallOptions): Sent<{
/** Ids of the changed messages */ readonly succeeded?: readonly (string)[];
readonly failed?: readonly ({ readonly [key: string]: unknown })[] | { readonly [key: string]: unknown };
}>;
/** Delete the messages of a box. */ deleteAll(vm_box_id: string, options?: CallOptions<{ /** Only the messages in this folder */ readonly folder?: string; }>): Sent<{
/** Ids of the changed messages */ readonly succeeded?: readonly (string)[];
readonly failed?: readonly ({ readonly [key: string]: unknown })[] | { readonly [key: string]: unknown };
}>;
};
/** Queues in which callers wait for agents. */ readonly queues: {
/** List queues. */ list(options?: CallOptions): Records<QueueRecord>;
/** Show one queue. */ get(queue_id: string, options?: CallOptions): Sent<QueueRecord>;
/** Create a queue. */ create(data: QueueInput, options?: CallOptions): Sent<QueueRecord>;
/** Replace a queue; missing fields are removed. */ update(queue_id: string, data: QueueInput, options?: CallOptions): Sent<QueueRecord>;
/** Change fields of a queue. */ patch(queue_id: string, data: QueueChanges, options?: CallOptions): Sent<QueueRecord>;
/** Delete a queue. */ delete(queue_id: string, options?: CallOptions): Sent<QueueRecord>;
/** List the ids of the agents of a queue. */ roster(queue_id: string, options?: CallOptions): Sent<readonly (string)[]>;
/** Set all agents of a queue. */ setRoster(queue_id: string, data: readonly (string)[], options?: CallOptions): Sent<QueueRecord>;
/** Remove all agents from a queue. */ clearRoster(queue_id: string, options?: CallOptions): Sent<void>;
/** Show the current calls of all queues. */ stats(options?: CallOptions<{ /** Start of the range, in Gregorian seconds */ readonly start_range?: string; /** End of the range, in Gregorian seconds */ readonly end_range?: string; /** Only calls in this state */ readonly status?: string; /** Only calls of this agent */ readonly agent_id?: string; }>): Sent<{
/** Now */ readonly current_timestamp?: number;
/** The calls */ readonly stats?: readonly ({
/** Id of the call in the queue */ readonly id?: string;
/** Queue */ readonly queue_id?: string;
/** Call */ readonly call_id?: string;
/** User who answered it */ readonly agent_id?: string;
/** waiting, handled, processed or abandoned */ readonly status?: string;
/** Time of arrival, in Gregorian seconds */ readonly entered_timestamp?: number;
/** Time of the answer */ readonly handled_timestamp?: number;
/** When it ended */ readonly processed_timestamp?: number;
/** Time when the caller gave up */ readonly abandoned_timestamp?: number;
/** Reason why the caller gave up */ readonly abandoned_reason?: string;
/** Position in the queue */ readonly entered_position?: number;
/** Seconds until the call was answered or abandoned */ readonly wait_time?: number;
/** Seconds of talk */ readonly talk_time?: number;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Agents who did not answer */ readonly misses?: readonly ({ readonly [key: string]: unknown })[];
})[];
}>;
/** List the ended calls of all queues. */ calls(options?: CallOptions<{ /** Start of the range, in Gregorian seconds */ readonly created_from?: string; /** End of the range, in Gregorian seconds */ readonly created_to?: string; }>): Records<{
/** Id of the call in the queue */ readonly id?: string;
/** Queue */ readonly queue_id?: string;
/** Call */ readonly call_id?: string;
/** User who answered it */ readonly agent_id?: string;
/** waiting, handled, processed or abandoned */ readonly status?: string;
/** Time of arrival, in Gregorian seconds */ readonly entered_timestamp?: number;
/** Time of the answer */ readonly handled_timestamp?: number;
/** When it ended */ readonly processed_timestamp?: number;
/** Time when the caller gave up */ readonly abandoned_timestamp?: number;
/** Reason why the caller gave up */ readonly abandoned_reason?: string;
/** Position in the queue */ readonly entered_position?: number;
/** Seconds until the call was answered or abandoned */ readonly wait_time?: number;
/** Seconds of talk */ readonly talk_time?: number;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Agents who did not answer */ readonly misses?: readonly ({ readonly [key: string]: unknown })[];
}>;
/** Connect a device to a call of a queue to listen. */ eavesdropCall(data: {
/** Device that listens */ readonly id?: string;
/** Call to listen to */ readonly call_id?: string;
/** Listening mode */ readonly mode?: "listen" | "whisper" | "full" | (string & {});
/** Seconds that the device rings (default: 20) */ readonly timeout?: number;
/** Name that the device shows */ readonly caller_id_name?: string;
/** Number that the device shows */ readonly caller_id_number?: string;
}, options?: CallOptions): Sent<{ readonly [key: string]: unknown }>;
/** Connect a device to the calls of a queue to listen. */ eavesdrop(queue_id: string, data: {
/** Device that listens */ readonly id?: string;
/** Call to listen to */ readonly call_id?: string;
/** Listening mode */ readonly mode?: "listen" | "whisper" | "full" | (string & {});
/** Seconds that the device rings (default: 20) */ readonly timeout?: number;
/** Name that the device shows */ readonly caller_id_name?: string;
/** Number that the device shows */ readonly caller_id_number?: string;
}, options?: CallOptions): Sent<{ readonly [key: string]: unknown }>;
};
/** Users who answer the calls of queues. */ readonly agents: {
/** List agents: users who have queues. */ list(options?: CallOptions): Records<AgentRecord>;
/** Show one agent. */ get(user_id: string, options?: CallOptions): Sent<UserRecord>;
/** Show the current state of all agents. */ states(options?: CallOptions<{ /** Only agents in this state */ readonly status?: string; }>): Sent<{ readonly [key: string]: {
/** User */ readonly agent_id?: string;
/** ready, paused, logged_out, connecting, connected, wrapup, outbound … */ readonly status?: string;
/** Start of the state, in Gregorian seconds */ readonly timestamp?: number;
/** Length of the pause, in seconds */ readonly pause_time?: number;
/** Seconds that the caller waited */ readonly wait_time?: number;
/** Call */ readonly call_id?: string;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Queue of the call */ readonly queue_id?: string;
} }>;
/** Show the current state of an agent. */ state(user_id: string, options?: CallOptions): Sent<{
/** User */ readonly agent_id?: string;
/** ready, paused, logged_out, connecting, connected, wrapup, outbound … */ readonly status?: string;
/** Start of the state, in Gregorian seconds */ readonly timestamp?: number;
/** Length of the pause, in seconds */ readonly pause_time?: number;
/** Seconds that the caller waited */ readonly wait_time?: number;
/** Call */ readonly call_id?: string;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Queue of the call */ readonly queue_id?: string;
} | string>;
/** Sign an agent in or out, or pause an agent. */ setState(user_id: string, data: {
/** What to do: login, logout, pause, resume, end_wrapup */ readonly status?: string;
/** Seconds of a pause */ readonly timeout?: number;
/** Presence id to update */ readonly presence_id?: string;
/** Presence state to publish */ readonly presence_state?: string;
}, options?: CallOptions): Sent<string>;
/** List the ids of the queues of an agent. */ queues(user_id: string, options?: CallOptions): Sent<readonly (string)[]>;
/** Add an agent to a queue, or remove one. */ setQueue(user_id: string, data: {
/** What to do */ readonly action?: "login" | "logout" | (string & {});
/** Queue */ readonly queue_id?: string;
}, options?: CallOptions): Sent<readonly (string)[]>;
/** Count the calls of all agents. */ stats(options?: CallOptions<{ /** Start of the range, in Gregorian seconds */ readonly start_range?: string; /** End of the range, in Gregorian seconds */ readonly end_range?: string; /** Only this agent */ readonly agent_id?: string; }>): Sent<{ readonly [key: string]: { readonly [key: string]: unknown } }>;
};
/** Fax boxes: sender, notifications, e-mail addresses allowed to fax. */ readonly faxboxes: {
/** List faxboxes. */ list(options?: CallOptions): Records<FaxboxRecord>;
/** Show one faxbox. */ get(faxbox_id: string, options?: CallOptions): Sent<FaxboxRecord>;
/** Create a faxbox. */ create(data: FaxboxInput, options?: CallOptions): Sent<FaxboxRecord>;
/** Replace a faxbox; missing fields are removed. */ update(faxbox_id: string, data: FaxboxInput, options?: CallOptions): Sent<FaxboxRecord>;
/** Change fields of a faxbox. */ patch(faxbox_id: string, data: FaxboxChanges, options?: CallOptions): Sent<FaxboxRecord>;
/** Delete a faxbox. */ delete(faxbox_id: string, options?: CallOptions): Sent<FaxboxRecord>;
};
/** Faxes: send them and follow their result. */ readonly faxes: {
/** List queued and active outgoing faxes. */ list(options?: CallOptions): Records<FaxRecord>;
/** Show one queued or active outgoing fax. */ get(fax_id: string, options?: CallOptions): Sent<FaxRecord>;
/** Send a fax. */ create(data: FaxInput, options?: CallOptions): Sent<FaxRecord>;
/** Show one received fax. */ received(fax_id: string, options?: CallOptions): Sent<FaxRecord>;
/** Show one sent or failed fax. */ sent(fax_id: string, options?: CallOptions): Sent<FaxRecord>;
/** Delete a received fax. */ deleteReceived(fax_id: string, options?: CallOptions): Sent<FaxRecord>;
/** Delete a sent or failed fax. */ deleteSent(fax_id: string, options?: CallOptions): Sent<FaxRecord>;
/** Send a fax again, as a new job. */ resubmit(fax_id: string, options?: CallOptions): Sent<FaxRecord>;
/** List received faxes. */ inbox(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<FaxRecord>;
/** List sent and failed faxes. */ outbox(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<FaxRecord>;
};
/** E-mails to fax boxes, with the errors of those that failed. */ readonly fax_mails: {
/** List e-mails to fax boxes in a time range. */ list(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<FaxMailRecord>;
/** Show one e-mail to a fax box, with all its errors. */ get(fax_mail_id: string, options?: CallOptions): Sent<FaxMailRecord>;
};
/** Phone numbers: caller names, emergency addresses, locations. */ readonly numbers: {
/** List numbers. */ list(options?: CallOptions<{ /** List available numbers that start with these digits, without the country code */ readonly prefix?: string; /** Number of results (default: 1) */ readonly quantity?: string; /** Number of results to skip */ readonly offset?: string; /** Country code of two letters (default: US) */ readonly country?: string; }>): Records<NumberRecord>;
/** Show one number. */ get(phone_number: string, options?: CallOptions): Sent<NumberRecord>;
/** Add a number. */ create(phone_number: string, data: NumberInput, options?: CallOptions): Sent<NumberRecord>;
/** Replace a number; missing fields are removed. */ update(phone_number: string, data: NumberInput, options?: CallOptions): Sent<NumberRecord>;
/** Change fields of a number. */ patch(phone_number: string, data: NumberChanges, options?: CallOptions): Sent<NumberRecord>;
/** Release a number. */ delete(phone_number: string, options?: CallOptions): Sent<NumberRecord>;
/** Put a number into service. */ activate(phone_number: string, data: NumberChanges, options?: CallOptions): Sent<NumberRecord>;
/** Reserve a number. */ reserve(phone_number: string, data: NumberChanges, options?: CallOptions): Sent<NumberRecord>;
/** Mark a number as being ported in. */ portIn(phone_number: string, data: NumberChanges, options?: CallOptions): Sent<NumberRecord>;
/** Look up the locations of numbers. */ locality(data: {
/** Numbers to look up */ readonly numbers?: readonly (string)[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<NumberRecord>;
/** Show the class of a number. */ classify(phone_number: string, options?: CallOptions): Sent<NumberRecord>;
/** List the number classes that restrictions use. */ classifiers(options?: CallOptions): Sent<{ readonly [key: string]: {
/** Name for people */ readonly friendly_name?: string;
/** Regular expression for its numbers */ readonly regex?: string;
/** Display format */ readonly pretty_print?: string;
/** Emergency services */ readonly emergency?: boolean;
readonly [key: string]: unknown;
} }>;
/** Show the carriers and states available for new numbers. */ carriers(options?: CallOptions): Sent<{
/** Maximum number of digits in a search */ readonly maximal_prefix_length?: number;
/** Carriers that can provide numbers */ readonly usable_carriers?: readonly (string)[];
/** States in which the caller can create numbers */ readonly usable_creation_states?: readonly (string)[];
readonly [key: string]: unknown;
}>;
/** Check with carriers which numbers are available. */ check(data: {
/** Numbers */ readonly numbers: readonly (string)[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{ readonly [key: string]: string }>;
/** Show the account that owns a number. */ identify(phone_number: string, options?: CallOptions): Sent<{
/** Account that has it */ readonly account_id?: string;
/** The number */ readonly number?: string;
readonly [key: string]: unknown;
}>;
/** Add several numbers. */ createMany(data: {
/** Numbers */ readonly numbers: readonly (string)[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{
/** Results, by number */ readonly success?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** Errors, by number */ readonly error?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** Replace the fields of several numbers; missing fields are removed. */ updateMany(data: {
/** Numbers */ readonly numbers: readonly (string)[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{
/** Results, by number */ readonly success?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** Errors, by number */ readonly error?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** Change fields of several numbers. */ patchMany(data: {
/** Numbers */ readonly numbers: readonly (string)[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{
/** Results, by number */ readonly success?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** Errors, by number */ readonly error?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** Release several numbers. */ deleteMany(data: {
/** Numbers */ readonly numbers: readonly (string)[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{
/** Results, by number */ readonly success?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** Errors, by number */ readonly error?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** Buy numbers and put them into service. */ buy(data: {
/** Numbers */ readonly numbers: readonly (string)[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{
/** Results, by number */ readonly success?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** Errors, by number */ readonly error?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** Repair the number records of an account. */ fix(options?: CallOptions): Sent<{ readonly [key: string]: unknown }>;
/** Repair the record of a number. */ fixOne(phone_number: string, options?: CallOptions): Sent<void>;
};
/** Requests to port numbers. */ readonly ports: {
/** List port requests, by account. */ list(options?: CallOptions<{ /** active, all, progressing, suspended, completed, or a comma-separated list of states (default: active) */ readonly by_types?: string; /** Only the requests for this number */ readonly by_number?: string; }>): Records<PortRecord>;
/** Show one port request. */ get(port_request_id: string, options?: CallOptions): Sent<PortRecord>;
/** Create a port request. */ create(data: PortInput, options?: CallOptions): Sent<PortRecord>;
/** Replace a port request; missing fields are removed. */ update(port_request_id: string, data: PortInput, options?: CallOptions): Sent<PortRecord>;
/** Change fields of a port request. */ patch(port_request_id: string, data: PortChanges, options?: CallOptions): Sent<PortRecord>;
/** Delete a port request. */ delete(port_request_id: string, options?: CallOptions): Sent<PortRecord>;
/** Submit a port request. */ submit(port_request_id: string, data: {
/** Reason shown in the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Reason shown in the timeline */ readonly reason?: string; }>): Sent<PortRecord>;
/** Mark a submitted port request as pending. */ pend(port_request_id: string, data: {
/** Reason shown in the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Reason shown in the timeline */ readonly reason?: string; }>): Sent<PortRecord>;
/** Schedule a port request. */ schedule(port_request_id: string, data: PortChanges, options?: CallOptions): Sent<PortRecord>;
/** Complete a port request and put its numbers into service. */ complete(port_request_id: string, data: {
/** Reason shown in the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Reason shown in the timeline */ readonly reason?: string; }>): Sent<PortRecord>;
/** Reject a port request. */ reject(port_request_id: string, data: {
/** Reason shown in the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Reason shown in the timeline */ readonly reason?: string; }>): Sent<PortRecord>;
/** Cancel a port request. */ cancel(port_request_id: string, data: {
/** Reason shown in the timeline */ readonly reason?: string;
}, options?: CallOptions<{ /** Reason shown in the timeline */ readonly reason?: string; }>): Sent<PortRecord>;
/** Show the history of a port request. */ timeline(port_request_id: string, options?: CallOptions): Sent<PortRecord | string | readonly (unknown)[] | string | readonly unknown[]>;
/** Add a comment to a port request. */ comment(port_request_id: string, data: {
/** Comments */ readonly comments?: readonly ({
/** Account of the author */ readonly account_id?: string;
/** Action is required (default: false) */ readonly action_required?: boolean;
/** Author */ readonly author?: string;
/** What it says */ readonly content: string;
/** Only visible to the port authority (default: false) */ readonly is_private?: boolean;
/** Time of writing, in Gregorian seconds */ readonly timestamp?: number;
/** User who wrote it */ readonly user_id?: string;
})[];
}, options?: CallOptions): Sent<{ readonly [key: string]: unknown }>;
/** List the comments of a port request. */ comments(port_request_id: string, options?: CallOptions): Sent<{
/** Comments */ readonly comments?: readonly ({
/** Account of the author */ readonly account_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Author */ readonly author?: string;
/** What it says */ readonly content?: string;
/** Only visible to the port authority */ readonly is_private?: boolean;
/** Time of writing, in Gregorian seconds */ readonly timestamp?: number;
/** User who wrote it */ readonly user_id?: string;
})[];
}>;
/** List the documents of a port request. */ documents(port_request_id: string, options?: CallOptions): Sent<{ readonly [key: string]: {
/** Content type */ readonly content_type?: string;
/** Size in bytes */ readonly length?: number;
readonly [key: string]: unknown;
} }>;
/** Add a document to a port request. */ addDocument(port_request_id: string, file: SentFile, options?: CallOptions<{ /** Name of the document (default: generated by the service) */ readonly filename?: string; }>): Sent<void>;
/** Download a document of a port request. */ document(port_request_id: string, attachment_id: string, options?: CallOptions): Sent<SentFile>;
/** Replace a document of a port request. */ replaceDocument(port_request_id: string, attachment_id: string, file: SentFile, options?: CallOptions): Sent<void>;
/** Delete a document of a port request. */ deleteDocument(port_request_id: string, attachment_id: string, options?: CallOptions): Sent<void>;
/** List port requests that wait for the port authority, with their submissions. */ lastSubmitted(options?: CallOptions): Records<{
/** The request */ readonly id?: string;
/** Submitter and time */ readonly transition?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** List the port requests of all accounts below, by account. */ below(options?: CallOptions<{ /** Types, as in the list of an account */ readonly by_types?: string; /** Only the requests for this number */ readonly by_number?: string; }>): Records<PortRecord>;
};
/** Outside lines of an account (the API calls them resources). */ readonly carriers: {
/** List carriers. */ list(options?: CallOptions): Records<CarrierRecord>;
/** Show one carrier. */ get(carrier_id: string, options?: CallOptions): Sent<CarrierRecord>;
/** Create a carrier. */ create(data: CarrierInput, options?: CallOptions): Sent<CarrierRecord>;
/** Replace a carrier; missing fields are removed. */ update(carrier_id: string, data: CarrierInput, options?: CallOptions): Sent<CarrierRecord>;
/** Change fields of a carrier. */ patch(carrier_id: string, data: CarrierChanges, options?: CallOptions): Sent<CarrierRecord>;
/** Delete a carrier. */ delete(carrier_id: string, options?: CallOptions): Sent<CarrierRecord>;
};
/** The contact list, generated from callflows. */ readonly contacts: {
/** Show the contact list. */ get(options?: CallOptions): Sent<{ readonly [key: string]: unknown } | readonly ({
/** Name */ readonly name?: string;
/** Number to dial from outside */ readonly external_number?: string;
/** Extension */ readonly internal_number?: string;
})[]>;
};
/** Jobs that import the numbers of a carrier into an account (resources/jobs). */ readonly carrier_jobs: {
/** List carrier jobs. */ list(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<CarrierJobRecord>;
/** Show one carrier job. */ get(job_id: string, options?: CallOptions): Sent<CarrierJobRecord>;
/** Create a carrier job. */ create(data: CarrierJobInput, options?: CallOptions): Sent<CarrierJobRecord>;
};
/** Templates of outside lines (resource_templates). */ readonly carrier_templates: {
/** List carrier templates. */ list(options?: CallOptions): Records<CarrierTemplateRecord>;
/** Show one carrier template. */ get(template_id: string, options?: CallOptions): Sent<CarrierTemplateRecord>;
/** Create a carrier template. */ create(data: CarrierTemplateInput, options?: CallOptions): Sent<CarrierTemplateRecord>;
/** Replace a carrier template; missing fields are removed. */ update(template_id: string, data: CarrierTemplateInput, options?: CallOptions): Sent<CarrierTemplateRecord>;
/** Change fields of a carrier template. */ patch(template_id: string, data: CarrierTemplateChanges, options?: CallOptions): Sent<CarrierTemplateRecord>;
/** Delete a carrier template. */ delete(template_id: string, options?: CallOptions): Sent<CarrierTemplateRecord>;
};
/** Outside lines of the whole service (super administrators only). */ readonly system_carriers: {
/** List system carriers. */ list(options?: CallOptions): Records<SystemCarrierRecord>;
/** Show one system carrier. */ get(system_carrier_id: string, options?: CallOptions): Sent<SystemCarrierRecord>;
/** Create a system carrier. */ create(data: SystemCarrierInput, options?: CallOptions): Sent<SystemCarrierRecord>;
/** Replace a system carrier; missing fields are removed. */ update(system_carrier_id: string, data: SystemCarrierInput, options?: CallOptions): Sent<SystemCarrierRecord>;
/** Change fields of a system carrier. */ patch(system_carrier_id: string, data: SystemCarrierChanges, options?: CallOptions): Sent<SystemCarrierRecord>;
/** Delete a system carrier. */ delete(system_carrier_id: string, options?: CallOptions): Sent<SystemCarrierRecord>;
};
/** Call prices by prefix (super administrators only). */ readonly rates: {
/** List rates. */ list(options?: CallOptions<{ /** Rate deck to search */ readonly ratedeck_id?: string; /** Only full records of rates with this prefix */ readonly prefix?: string; }>): Records<RateRecord>;
/** Show one rate. */ get(rate_id: string, options?: CallOptions): Sent<RateRecord>;
/** Create a rate. */ create(data: RateInput, options?: CallOptions): Sent<RateRecord>;
/** Replace a rate; missing fields are removed. */ update(rate_id: string, data: RateInput, options?: CallOptions): Sent<RateRecord>;
/** Change fields of a rate. */ patch(rate_id: string, data: RateChanges, options?: CallOptions): Sent<RateRecord>;
/** Delete a rate. */ delete(rate_id: string, options?: CallOptions): Sent<RateRecord>;
/** List the rate decks. */ ratedecks(options?: CallOptions): Sent<{
/** Default rate deck */ readonly default_ratedeck?: string;
/** All rate decks */ readonly ratedecks?: readonly (string)[];
readonly [key: string]: unknown;
}>;
/** Show the price of a call to a number. */ ofNumber(phone_number: string, options?: CallOptions<{ /** Rate deck to search */ readonly ratedeck_id?: string; }>): Sent<{
/** Price of the shortest call */ readonly "Base-Cost"?: number;
/** The number */ readonly "E164-Number"?: string;
/** Matched prefix */ readonly Prefix?: string;
/** Price per minute */ readonly Rate?: number;
/** Description */ readonly "Rate-Description"?: string;
/** Billing increment, in seconds */ readonly "Rate-Increment"?: number;
/** Minimum billed seconds */ readonly "Rate-Minimum"?: number;
/** Name */ readonly "Rate-Name"?: string;
/** Price per call */ readonly Surcharge?: number;
readonly [key: string]: unknown;
}>;
/** Show the price of a call to a number, without an account. */ ofNumberEverywhere(phone_number: string, options?: CallOptions<{ /** Rate deck to search */ readonly ratedeck_id?: string; }>): Sent<{
/** Price of the shortest call */ readonly "Base-Cost"?: number;
/** The number */ readonly "E164-Number"?: string;
/** Matched prefix */ readonly Prefix?: string;
/** Price per minute */ readonly Rate?: number;
/** Description */ readonly "Rate-Description"?: string;
/** Billing increment, in seconds */ readonly "Rate-Increment"?: number;
/** Minimum billed seconds */ readonly "Rate-Minimum"?: number;
/** Name */ readonly "Rate-Name"?: string;
/** Price per call */ readonly Surcharge?: number;
readonly [key: string]: unknown;
}>;
};
/** Rules that choose resources for calls. */ readonly selectors: {
/** Show the rules. */ rules(options?: CallOptions): Sent<SelectorRecord>;
/** Replace the rules. */ updateRules(data: {
/** Name */ readonly name?: string;
/** Resource to choose */ readonly resource?: string;
/** Property to compare */ readonly selector?: string;
/** Value to match */ readonly value?: string;
/** Valid from, in Gregorian seconds */ readonly start_time?: number;
/** Valid until, in Gregorian seconds */ readonly stop_time?: number;
/** Steps, in order */ readonly rules?: readonly ({ readonly [key: string]: unknown })[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<SelectorRecord>;
/** List selectors. */ list(options?: CallOptions): Records<SelectorRecord>;
/** Show one selector. */ get(selector_id: string, options?: CallOptions): Sent<SelectorRecord>;
/** Replace a selector; missing fields are removed. */ update(selector_id: string, data: SelectorInput, options?: CallOptions): Sent<SelectorRecord>;
/** Delete a selector. */ delete(selector_id: string, options?: CallOptions): Sent<SelectorRecord>;
};
/** Service plans and their overrides. */ readonly services: {
/** Show the plans of an account. */ get(options?: CallOptions): Sent<ServiceRecord | readonly (unknown)[] | { readonly [key: string]: unknown }>;
/** Change the plans of an account. */ update(data?: ServiceInput, options?: CallOptions): Sent<void>;
/** Show the overrides of the plans. */ overrides(options?: CallOptions): Sent<{ readonly [key: string]: unknown }>;
/** Set the overrides of the plans. */ override(data?: { readonly [key: string]: unknown }, options?: CallOptions): Sent<void>;
/** Show prices, quantities and the next invoice of an account. */ summary(options?: CallOptions): Sent<{
/** Plans by id */ readonly plans?: { readonly [key: string]: unknown };
/** Overrides of the plans, by category and item */ readonly overrides?: { readonly [key: string]: unknown };
/** Invoices: items with quantities and prices, and the plan */ readonly invoices?: readonly (unknown)[];
/** Quantities of the account, of accounts below, and set manually, by category and item */ readonly quantities?: { readonly [key: string]: unknown };
/** Call limits */ readonly limits?: { readonly [key: string]: unknown };
/** Billing cycle */ readonly billing_cycle?: {
/** Next invoice, in Gregorian seconds */ readonly next?: number;
/** Number of units per period */ readonly period?: number;
/** day, month or year */ readonly unit?: string;
readonly [key: string]: unknown;
};
/** Reseller of the account */ readonly reseller?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** List billable changes of an account. */ audit(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<{
/** Id */ readonly id?: string;
/** completed, or why not */ readonly status?: string;
/** Confirmation */ readonly reason?: string;
/** Description */ readonly message?: string;
/** Type of the change */ readonly type?: string;
/** Prices */ readonly summary?: {
/** Due now */ readonly today?: number;
/** Due each month */ readonly recurring?: number;
readonly [key: string]: unknown;
} | readonly (unknown)[];
readonly [key: string]: unknown;
}>;
/** Show one billable change. */ auditEntry(audit_id: string, options?: CallOptions): Sent<{
/** Id */ readonly id?: string;
/** completed, or why not */ readonly status?: string;
/** Confirmation */ readonly reason?: string;
/** Description */ readonly message?: string;
/** Type of the change */ readonly type?: string;
/** Prices */ readonly summary?: {
/** Due now */ readonly today?: number;
/** Due each month */ readonly recurring?: number;
readonly [key: string]: unknown;
} | readonly (unknown)[];
readonly [key: string]: unknown;
}>;
/** Show additions and removals, by category and day. */ auditSummary(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Sent<readonly ({ readonly [key: string]: { readonly [key: string]: {
/** Number added */ readonly addition?: number;
/** Number removed */ readonly removal?: number;
/** Quantity after the change */ readonly quantity?: number;
/** Quantity including accounts below */ readonly sum_quantity?: number;
/** Time of the last change, in Gregorian seconds */ readonly last_timestamp?: number;
readonly [key: string]: unknown;
} } })[]>;
/** Show additions and removals of one category, by day. */ auditCategory(category: string, options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Sent<readonly ({ readonly [key: string]: { readonly [key: string]: {
/** Number added */ readonly addition?: number;
/** Number removed */ readonly removal?: number;
/** Quantity after the change */ readonly quantity?: number;
/** Quantity including accounts below */ readonly sum_quantity?: number;
/** Time of the last change, in Gregorian seconds */ readonly last_timestamp?: number;
readonly [key: string]: unknown;
} } })[]>;
/** List the plans that the reseller of an account offers. */ available(options?: CallOptions): Records<{
/** Id */ readonly id?: string;
/** Name */ readonly name?: string;
/** Category */ readonly category?: string;
readonly [key: string]: unknown;
}>;
/** Show the price of an account with other plans, without changing it. */ quote(data: ServiceInput, options?: CallOptions): Sent<{
/** Plans by id */ readonly plans?: { readonly [key: string]: unknown };
/** Overrides of the plans, by category and item */ readonly overrides?: { readonly [key: string]: unknown };
/** Invoices: items with quantities and prices, and the plan */ readonly invoices?: readonly (unknown)[];
/** Quantities of the account, of accounts below, and set manually, by category and item */ readonly quantities?: { readonly [key: string]: unknown };
/** Call limits */ readonly limits?: { readonly [key: string]: unknown };
/** Billing cycle */ readonly billing_cycle?: {
/** Next invoice, in Gregorian seconds */ readonly next?: number;
/** Number of units per period */ readonly period?: number;
/** day, month or year */ readonly unit?: string;
readonly [key: string]: unknown;
};
/** Reseller of the account */ readonly reseller?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** Pay an amount with the default payment method of an account. */ topup(data: {
/** Amount */ readonly amount: number;
}, options?: CallOptions): Sent<{
/** The entry */ readonly ledger?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** Assign a plan to an account. */ assign(plan_id: string, data?: {
/** Account that owns the plan */ readonly vendor_id?: string;
/** Overrides of the plans, by category and item */ readonly overrides?: { readonly [key: string]: unknown };
/** Contract */ readonly contract?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<void>;
/** Remove a plan from an account. */ unassign(plan_id: string, options?: CallOptions): Sent<ServiceRecord>;
};
/** Flat-rate trunks and hard limits on calls. */ readonly limits: {
/** Show the call limits of an account. */ get(options?: CallOptions): Sent<LimitRecord>;
/** Replace the call limits of an account; more trunks can add charges. */ set(data: {
/** Allow per-minute calls when no credit is available (default: true) */ readonly allow_prepay?: boolean;
/** Resource types that authorize a call, past limits and billing (default: []) */ readonly authz_resource_types?: readonly (string)[];
/** Two-way flat-rate trunks used only if no other trunk is free */ readonly burst_trunks?: number;
/** Hard limit on all calls */ readonly calls?: number;
/** Inbound flat-rate trunks */ readonly inbound_trunks?: number;
/** Outbound flat-rate trunks */ readonly outbound_trunks?: number;
/** Hard limit on calls that consume resources */ readonly resource_consuming_calls?: number;
/** Two-way flat-rate trunks */ readonly twoway_trunks?: number;
/** Accept the charges that the change adds */ readonly accept_charges?: boolean;
}, options?: CallOptions): Sent<LimitRecord>;
};
/** Money of an account, by source: usage, payments, adjustments. */ readonly ledgers: {
/** Show the totals of an account by source. */ sums(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Sent<{ readonly [key: string]: { readonly [key: string]: unknown } }>;
/** List the sources of entries. */ available(options?: CallOptions): Sent<readonly ({
/** Name */ readonly name?: string;
/** Name for people */ readonly friendly_name?: string;
/** Kinds of markup */ readonly markup_type?: readonly (string)[];
})[]>;
/** Show the balance of an account. */ total(options?: CallOptions): Sent<{
/** Balance; debits are negative */ readonly amount?: number;
}>;
/** Show the totals of a month, for an account and those below. */ summary(month: string, options?: CallOptions): Sent<{
/** Totals by source; debits are negative */ readonly summary?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** By account, including accounts below */ readonly breakdown?: readonly ({
/** The account */ readonly account?: {
/** Id */ readonly id?: string;
/** Name */ readonly name?: string;
readonly [key: string]: unknown;
};
/** Totals by source */ readonly ledgers?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** Sum of them */ readonly total?: number;
readonly [key: string]: unknown;
})[];
readonly [key: string]: unknown;
}>;
/** List the entries of one source. */ list(source_service: string, options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<LedgerRecord>;
/** Show one entry. */ get(source_service: string, entry_id: string, options?: CallOptions): Sent<LedgerRecord>;
/** Credit an account, as its reseller. */ credit(data: {
/** Amount in the currency of the account, positive for credits and debits */ readonly amount?: number;
/** Purpose */ readonly description?: string;
/** Source */ readonly source: {
/** Id; identifies the entry together with service and period */ readonly id: string;
/** Ledger: adjustments, payments, … */ readonly service: string;
};
/** What was used */ readonly usage: {
/** Count */ readonly quantity: number;
/** Of what */ readonly type: string;
/** In which unit */ readonly unit: string;
};
/** Period of the entry */ readonly period?: {
/** Start, in Gregorian seconds */ readonly start?: number;
/** End, in Gregorian seconds */ readonly end?: number;
};
/** Data of the program that created it */ readonly metadata?: { readonly [key: string]: unknown };
}, options?: CallOptions): Sent<LedgerRecord>;
/** Debit an account, as its reseller. */ debit(data: {
/** Amount in the currency of the account, positive for credits and debits */ readonly amount?: number;
/** Purpose */ readonly description?: string;
/** Source */ readonly source: {
/** Id; identifies the entry together with service and period */ readonly id: string;
/** Ledger: adjustments, payments, … */ readonly service: string;
};
/** What was used */ readonly usage: {
/** Count */ readonly quantity: number;
/** Of what */ readonly type: string;
/** In which unit */ readonly unit: string;
};
/** Period of the entry */ readonly period?: {
/** Start, in Gregorian seconds */ readonly start?: number;
/** End, in Gregorian seconds */ readonly end?: number;
};
/** Data of the program that created it */ readonly metadata?: { readonly [key: string]: unknown };
}, options?: CallOptions): Sent<LedgerRecord>;
};
/** Payments and refunds of an account. */ readonly transactions: {
/** List payments. */ list(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<TransactionRecord>;
/** Show one payment. */ get(transaction_id: string, options?: CallOptions): Sent<TransactionRecord>;
/** Take a payment from an account, as its reseller. */ sale(data: {
/** Amount in the currency of the account */ readonly amount?: number;
/** Purpose */ readonly description?: string;
/** Order that it belongs to */ readonly order_id?: string;
/** Data of the program that created it */ readonly metadata?: { readonly [key: string]: unknown };
}, options?: CallOptions): Sent<TransactionRecord>;
/** Refund a payment to an account, as its reseller. */ refund(data: {
/** Amount in the currency of the account */ readonly amount?: number;
/** Purpose */ readonly description?: string;
/** Order that it belongs to */ readonly order_id?: string;
/** Data of the program that created it */ readonly metadata?: { readonly [key: string]: unknown };
}, options?: CallOptions): Sent<TransactionRecord>;
};
/** Free call seconds, by direction and class of number. */ readonly allotments: {
/** Show the free call seconds of an account. */ get(options?: CallOptions): Sent<AllotmentRecord>;
/** Replace the free call seconds of an account, as its reseller. */ update(data: AllotmentInput, options?: CallOptions): Sent<AllotmentRecord>;
/** Show the used free seconds. */ consumed(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Sent<{ readonly [key: string]: {
/** Length of the cycle, or manual if the request named a range */ readonly cycle?: string;
/** Used seconds */ readonly consumed?: number;
/** Start, in Gregorian seconds */ readonly consumed_from?: number;
/** End, in Gregorian seconds */ readonly consumed_to?: number;
} }>;
};
/** Templates of e-mails, and a log of sent e-mails. */ readonly notifications: {
/** Replace all templates of an account with copies of the service's. */ useSystem(options?: CallOptions): Sent<{ readonly [key: string]: string }>;
/** Remove all templates of an account and use the service's again. */ restoreAll(options?: CallOptions): Sent<{ readonly [key: string]: string }>;
/** List notifications. */ list(options?: CallOptions): Records<NotificationRecord>;
/** Show one notification. */ get(notification_id: string, options: CallOptions & { readonly accept: "text/html" | "text/plain" }): Sent<string>;
/** Show one notification. */ get(notification_id: string, options?: CallOptions): Sent<NotificationRecord>;
/** Create an account's own version of a template. */ customise(data: NotificationInput, options?: CallOptions): Sent<NotificationRecord>;
/** Replace the properties of an account's own template. */ change(notification_id: string, data: NotificationInput, options?: CallOptions): Sent<NotificationRecord>;
/** Replace one text of an account's own template. */ upload(notification_id: string, file: SentFile, options?: CallOptions): Sent<NotificationRecord>;
/** Remove an account's own version of a template and use the service's again. */ restore(notification_id: string, options?: CallOptions): Sent<NotificationRecord>;
/** Send a preview of a template with sample values. */ preview(notification_id: string, data: {
/** Sender */ readonly from?: string;
/** Address for replies */ readonly reply_to?: string;
/** Subject, which may contain macros */ readonly subject?: string;
/** Receivers */ readonly to?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a copy */ readonly cc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a blind copy */ readonly bcc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** HTML text, in Base64 */ readonly html?: string;
/** Plain text */ readonly plain?: string;
}, options?: CallOptions): Sent<string>;
/** Send an e-mail to users of the accounts directly below. */ tellCustomers(data: {
/** Account directly below (default: all of them) */ readonly recipient_id?: string;
/** admins_only, all_users, or the id of a user (default: "admins_only") */ readonly user_type?: string;
/** Sender */ readonly from?: string;
/** Address for replies */ readonly reply_to?: string;
/** Subject, which may contain macros */ readonly subject?: string;
/** Receivers */ readonly to?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a copy */ readonly cc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a blind copy */ readonly bcc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** HTML text, in Base64 */ readonly html?: string;
/** Plain text */ readonly plain?: string;
}, options?: CallOptions): Sent<string>;
};
/** The brand of a reseller: names, links, logo, welcome page, domain. */ readonly whitelabel: {
/** Show the brand of an account. */ get(options?: CallOptions): Sent<BrandRecord>;
/** Create the brand of an account. */ create(data: BrandInput, options?: CallOptions): Sent<BrandRecord>;
/** Replace the brand of an account. */ update(data: BrandInput, options?: CallOptions): Sent<BrandRecord>;
/** Remove the brand of an account. */ delete(options?: CallOptions): Sent<BrandRecord>;
/** Fetch the logo of a brand. */ logo(options?: CallOptions): Sent<SentFile>;
/** Give a brand its logo. */ uploadLogo(file: SentFile, options?: CallOptions): Sent<BrandRecord>;
/** Fetch the logo of the brand of a domain. */ logoOfDomain(domain: string, options?: CallOptions): Sent<SentFile>;
/** Fetch the icon of a brand. */ icon(options?: CallOptions): Sent<SentFile>;
/** Give a brand its icon. */ uploadIcon(file: SentFile, options?: CallOptions): Sent<BrandRecord>;
/** Fetch the icon of the brand of a domain. */ iconOfDomain(domain: string, options?: CallOptions): Sent<SentFile>;
/** Fetch the welcome page of a brand. */ welcome(options?: CallOptions): Sent<SentFile>;
/** Give a brand its welcome page. */ uploadWelcome(file: SentFile, options?: CallOptions): Sent<BrandRecord>;
/** Fetch the welcome page of the brand of a domain. */ welcomeOfDomain(domain: string, options?: CallOptions): Sent<SentFile>;
/** Show the public brand of a domain. */ ofDomain(domain: string, options?: CallOptions): Sent<BrandRecord>;
/** List the DNS entries required for a brand. */ domains(options?: CallOptions<{ /** Domain to check (default: the domain of the brand) */ readonly domain?: string; }>): Sent<{ readonly [key: string]: { readonly [key: string]: {
/** Purpose */ readonly name?: string;
/** Zone of the service */ readonly zone?: string;
/** Expected value */ readonly mapping?: readonly (string)[];
readonly [key: string]: unknown;
} } }>;
/** Check the DNS entries of a brand. */ checkDomains(options?: CallOptions<{ /** Domain to check (default: the domain of the brand) */ readonly domain?: string; }>): Sent<{ readonly [key: string]: { readonly [key: string]: {
/** Expected value */ readonly expected?: readonly (unknown)[];
/** Value found by the service */ readonly actual?: readonly (unknown)[];
readonly [key: string]: unknown;
} } }>;
};
/** E-mails sent by the service. */ readonly mails: {
/** List e-mails in a time range. */ list(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<MailRecord>;
/** Show one mail. */ get(mail_id: string, options?: CallOptions): Sent<MailRecord>;
};
/** Alerts of the service: low balances, pending ports, notes from its operator. */ readonly alerts: {
/** List alerts. */ list(options?: CallOptions): Records<AlertRecord>;
/** Show one alert. */ get(alert_id: string, options?: CallOptions): Sent<AlertRecord>;
/** Create an alert. */ create(data: AlertInput, options?: CallOptions): Sent<AlertRecord>;
/** Delete an alert. */ delete(alert_id: string, options?: CallOptions): Sent<AlertRecord>;
};
/** E-mail templates that all accounts inherit (super administrators only). */ readonly system_notifications: {
/** List system notifications. */ list(options?: CallOptions): Records<SystemNotificationRecord>;
/** Show one system notification. */ get(system_notification_id: string, options: CallOptions & { readonly accept: "text/html" | "text/plain" }): Sent<string>;
/** Show one system notification. */ get(system_notification_id: string, options?: CallOptions): Sent<SystemNotificationRecord>;
/** Add a template that all accounts inherit. */ customise(data: SystemNotificationInput, options?: CallOptions): Sent<SystemNotificationRecord>;
/** Replace the properties of a template that all accounts inherit. */ change(system_notification_id: string, data: SystemNotificationInput, options?: CallOptions): Sent<SystemNotificationRecord>;
/** Replace one text of a template that all accounts inherit. */ upload(system_notification_id: string, file: SentFile, options?: CallOptions): Sent<SystemNotificationRecord>;
};
/** Subscriptions to events. */ readonly webhooks: {
/** List the events to subscribe to. */ hooks(options?: CallOptions): Records<{
/** Id to subscribe to */ readonly id: string;
/** Name */ readonly name?: string;
/** Trigger of the hook */ readonly description?: string;
/** Filters for its events */ readonly modifiers?: { readonly [key: string]: unknown };
}>;
/** List the samples of events. */ samples(options?: CallOptions): Sent<readonly (string)[]>;
/** Show a sample event of a hook. */ sample(sample_name: string, options?: CallOptions): Records<{ readonly [key: string]: unknown }>;
/** List webhooks. */ list(options?: CallOptions): Records<WebhookRecord>;
/** Show one webhook. */ get(webhook_id: string, options?: CallOptions): Sent<WebhookRecord>;
/** Create a webhook. */ create(data: WebhookInput, options?: CallOptions): Sent<WebhookRecord>;
/** Replace a webhook; missing fields are removed. */ update(webhook_id: string, data: WebhookInput, options?: CallOptions): Sent<WebhookRecord>;
/** Change fields of a webhook. */ patch(webhook_id: string, data: WebhookChanges, options?: CallOptions): Sent<WebhookRecord>;
/** Delete a webhook. */ delete(webhook_id: string, options?: CallOptions): Sent<WebhookRecord>;
/** List the deliveries of a webhook. */ attempts(webhook_id: string, options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<{
/** Webhook */ readonly hook_id?: string;
/** Event */ readonly hook_event?: string;
/** Result of the delivery */ readonly result?: "success" | "failure" | (string & {});
/** Time, in Gregorian seconds */ readonly timestamp?: number;
/** Id of the event */ readonly event_id?: string;
/** URL of the request */ readonly uri?: string;
/** Request method */ readonly method?: string;
/** Headers of the request */ readonly req_headers?: { readonly [key: string]: unknown };
/** Body of the request */ readonly req_body?: string;
/** Status code of the response */ readonly resp_status_code?: number;
/** Headers of the response */ readonly resp_headers?: { readonly [key: string]: unknown };
/** Body of the response */ readonly resp_body?: string;
/** Reason for the failure */ readonly reason?: string;
/** Connection error */ readonly client_error?: string;
/** Configured retries */ readonly retries?: number;
/** Retries left */ readonly retries_left?: number | string;
/** Number of the attempt */ readonly try?: number;
/** Properties merged into the payload */ readonly custom_data?: { readonly [key: string]: unknown };
}>;
/** List the deliveries of all webhooks of an account. */ attemptsAll(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<{
/** Webhook */ readonly hook_id?: string;
/** Event */ readonly hook_event?: string;
/** Result of the delivery */ readonly result?: "success" | "failure" | (string & {});
/** Time, in Gregorian seconds */ readonly timestamp?: number;
/** Id of the event */ readonly event_id?: string;
/** URL of the request */ readonly uri?: string;
/** Request method */ readonly method?: string;
/** Headers of the request */ readonly req_headers?: { readonly [key: string]: unknown };
/** Body of the request */ readonly req_body?: string;
/** Status code of the response */ readonly resp_status_code?: number;
/** Headers of the response */ readonly resp_headers?: { readonly [key: string]: unknown };
/** Body of the response */ readonly resp_body?: string;
/** Reason for the failure */ readonly reason?: string;
/** Connection error */ readonly client_error?: string;
/** Configured retries */ readonly retries?: number;
/** Retries left */ readonly retries_left?: number | string;
/** Number of the attempt */ readonly try?: number;
/** Properties merged into the payload */ readonly custom_data?: { readonly [key: string]: unknown };
}>;
/** Re-enable all webhooks that the service disabled. */ reEnable(data: {
/** Re-enable webhooks that the service disabled */ readonly "re-enable"?: boolean;
}, options?: CallOptions): Sent<string>;
/** Re-enable all webhooks that the service disabled in accounts below. */ reEnableDescendants(data: {
/** Re-enable webhooks that the service disabled */ readonly "re-enable"?: boolean;
}, options?: CallOptions): Sent<string>;
};
/** Apps of the web interface, and the users allowed to use them. */ readonly store_apps: {
/** List the apps of the web interface. */ list(options?: CallOptions): Records<StoreAppRecord>;
/** Show one app. */ get(store_app_id: string, options?: CallOptions): Sent<StoreAppRecord>;
/** Install an app for users of an account. */ install(store_app_id: string, data: {
/** all, admins, or those who are named: specific */ readonly allowed_users?: "all" | "admins" | "specific" | (string & {});
/** Those who may */ readonly users?: readonly ({
/** User */ readonly id?: string;
})[];
}, options?: CallOptions): Sent<{
/** The app */ readonly name?: string;
readonly [key: string]: unknown;
}>;
/** Change the users allowed to use an app. */ allow(store_app_id: string, data: {
/** all, admins, or those who are named: specific */ readonly allowed_users?: "all" | "admins" | "specific" | (string & {});
/** Those who may */ readonly users?: readonly ({
/** User */ readonly id?: string;
})[];
}, options?: CallOptions): Sent<{
/** The app */ readonly name?: string;
readonly [key: string]: unknown;
}>;
/** Uninstall an app for the users of an account. */ uninstall(store_app_id: string, options?: CallOptions): Sent<void>;
/** Show the apps hidden from an account below. */ blacklist(options?: CallOptions): Sent<{
/** Ids of apps */ readonly blacklist?: readonly (string)[];
readonly [key: string]: unknown;
}>;
/** Set the apps hidden from an account below. */ setBlacklist(data: {
/** Ids of apps */ readonly blacklist?: readonly (string)[];
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{
/** Ids of apps */ readonly blacklist?: readonly (string)[];
readonly [key: string]: unknown;
}>;
};
/** Release, load and schemas of the service. */ readonly about: {
/** Show the release and load of the service. */ get(options?: CallOptions): Sent<FactRecord>;
/** List the schemas of the service. */ schemas(options?: CallOptions): Sent<readonly (string)[]>;
/** Show the schema of a record type, or of the data of a module. */ schema(schema_name: string, options?: CallOptions): Sent<{ readonly [key: string]: unknown }>;
/** Show the settings of an application for an account. */ config(config_name: string, options?: CallOptions): Sent<{
/** configs_ and the name */ readonly id?: string;
readonly [key: string]: unknown;
}>;
};
/** Live calls: list, hang up, transfer or redirect them. */ readonly channels: {
/** List live calls, one leg per row. */ list(options?: CallOptions): Records<ChannelRecord>;
/** Show one live leg. */ get(channel_id: string, options?: CallOptions): Sent<ChannelRecord>;
/** List the live legs of a user. */ ofUser(user_id: string, options?: CallOptions): Records<ChannelRecord>;
/** List the live legs of a device. */ ofDevice(device_id: string, options?: CallOptions): Records<ChannelRecord>;
/** List the live legs of a group. */ ofGroup(group_id: string, options?: CallOptions): Records<ChannelRecord>;
/** Hang up, transfer or intercept a live call, or send it to a callflow. */ act(channel_id: string, data: {
/** What to do: hangup, transfer, callflow, intercept or break */ readonly action?: string;
/** Number or extension (with transfer) */ readonly target?: string;
/** blind or attended (with transfer) */ readonly "transfer-type"?: "blind" | "attended" | (string & {});
/** Id of the callflow (with callflow) */ readonly id?: string;
/** Type of the target: device, user or number (with intercept) */ readonly target_type?: string;
/** Id or number of the target (with intercept) */ readonly target_id?: string;
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<string>;
/** Run a step of a metaflow on a live call. */ metaflow(channel_id: string, data: { readonly [key: string]: unknown }, options?: CallOptions): Sent<string>;
};
/** Sign-in, tokens and the secrets that sign them. */ readonly tokens: {
/** End all tokens of the service. */ resetSystemSecret(options?: CallOptions): Sent<void>;
/** End the tokens issued for an account's API key; users' tokens stay valid. */ resetAccountSecret(options?: CallOptions): Sent<void>;
/** End the tokens of a user. */ resetUserSecret(user_id: string, options?: CallOptions): Sent<void>;
/** Exchange a token for a new one. */ refresh(options?: CallOptions): Sent<{
/** Account */ readonly account_id?: string;
/** User */ readonly owner_id?: string;
/** Language */ readonly language?: string;
/** The account is a reseller */ readonly is_reseller?: boolean;
/** Name of the account */ readonly account_name?: string;
/** Account of its reseller */ readonly reseller_id?: string;
/** The account is the top account of the service */ readonly is_master_account?: boolean;
/** Capabilities of the account */ readonly capabilities?: { readonly [key: string]: unknown };
/** Cluster of the service */ readonly cluster_id?: string;
/** Settings of web interfaces */ readonly ui_config?: { readonly [key: string]: unknown };
/** Applications that the user can open */ readonly apps?: readonly (unknown)[];
}>;
/** Sign in with a code from an SSO provider; the response is empty if no link exists. */ callback(data: {
/** Application id at the provider */ readonly client_id?: string;
/** Access code from the provider */ readonly code?: string;
/** Provider */ readonly provider?: string;
/** URI that received the code */ readonly redirect_uri?: string;
/** State sent to the provider */ readonly state?: string;
/** PKCE's verifier, for the exchange of the code */ readonly code_verifier?: string;
/** Nonce that the ID token must contain */ readonly nonce?: string;
}, options?: CallOptions): Sent<{
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account of its reseller */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user can open */ readonly apps?: readonly (unknown)[];
/** Sign-in method of the token */ readonly method?: string;
/** The account is a reseller */ readonly is_reseller?: boolean;
/** The account is the top account of the service */ readonly is_master_account?: boolean;
/** Capabilities of the account */ readonly capabilities?: { readonly [key: string]: unknown };
/** Cluster of the service */ readonly cluster_id?: string;
/** Settings of web interfaces */ readonly ui_config?: { readonly [key: string]: unknown };
}>;
/** Validate and authorize a foreign SSO token or application. */ authorize(data: {
/** Token of the provider */ readonly token?: string;
/** Provider */ readonly provider?: string;
/** Application that the token was issued to */ readonly app?: string;
readonly [key: string]: unknown;
}, options?: CallOptions): Sent<{
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account of its reseller */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user can open */ readonly apps?: readonly (unknown)[];
/** Sign-in method of the token */ readonly method?: string;
/** The account is a reseller */ readonly is_reseller?: boolean;
/** The account is the top account of the service */ readonly is_master_account?: boolean;
/** Capabilities of the account */ readonly capabilities?: { readonly [key: string]: unknown };
/** Cluster of the service */ readonly cluster_id?: string;
/** Settings of web interfaces */ readonly ui_config?: { readonly [key: string]: unknown };
}>;
/** Send a one-time sign-in link to a user who forgot a password. */ recover(data: {
/** Who forgot it */ readonly username: string;
/** Page of the web interface that the link opens */ readonly ui_url: string;
/** Name of the account */ readonly account_name?: string;
/** Realm of the account */ readonly account_realm?: string;
/** A number of the account */ readonly phone_number?: string;
}, options?: CallOptions): Sent<string>;
/** Sign in with a recovery link. */ recovered(data: {
/** Id at the end of the link */ readonly reset_id: string;
}, options?: CallOptions): Sent<{
/** Account */ readonly account_id?: string;
/** User */ readonly owner_id?: string;
/** Language */ readonly language?: string;
/** The account is a reseller */ readonly is_reseller?: boolean;
/** Name of the account */ readonly account_name?: string;
/** Account of its reseller */ readonly reseller_id?: string;
/** The account is the top account of the service */ readonly is_master_account?: boolean;
/** Capabilities of the account */ readonly capabilities?: { readonly [key: string]: unknown };
/** Cluster of the service */ readonly cluster_id?: string;
/** Settings of web interfaces */ readonly ui_config?: { readonly [key: string]: unknown };
/** Applications that the user can open */ readonly apps?: readonly (unknown)[];
}>;
/** Show the contents of a token that is passed in the URL. */ infoByQuery(options: CallOptions<{ /** Token to inspect */ readonly token: string; }> & { readonly query: unknown }): Sent<{
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account of its reseller */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user can open */ readonly apps?: readonly (unknown)[];
/** Sign-in method of the token */ readonly method?: string;
/** The account is a reseller */ readonly is_reseller?: boolean;
/** The account is the top account of the service */ readonly is_master_account?: boolean;
/** Capabilities of the account */ readonly capabilities?: { readonly [key: string]: unknown };
/** Cluster of the service */ readonly cluster_id?: string;
/** Settings of web interfaces */ readonly ui_config?: { readonly [key: string]: unknown };
}>;
/** Show the contents of a token. */ info(data: {
/** A token */ readonly token?: string;
}, options?: CallOptions): Sent<{
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account of its reseller */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user can open */ readonly apps?: readonly (unknown)[];
/** Sign-in method of the token */ readonly method?: string;
/** The account is a reseller */ readonly is_reseller?: boolean;
/** The account is the top account of the service */ readonly is_master_account?: boolean;
/** Capabilities of the account */ readonly capabilities?: { readonly [key: string]: unknown };
/** Cluster of the service */ readonly cluster_id?: string;
/** Settings of web interfaces */ readonly ui_config?: { readonly [key: string]: unknown };
}>;
};
/** Calls that wait in a parking slot. */ readonly parked_calls: {
/** List parked calls. */ list(options?: CallOptions): Records<ParkedCallRecord>;
};
/** Presence lamps of phones: subscriptions and states. */ readonly presence: {
/** List watched extensions, with the number of phones for each. */ summary(options?: CallOptions<{ /** Only subscriptions to this event: dialog, presence or message-summary */ readonly event?: string; }>): Sent<{
/** By extension */ readonly subscriptions?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** The request timed out */ readonly timeout?: boolean;
readonly [key: string]: unknown;
}>;
/** Show the subscriptions to an extension. */ get(extension: string, options?: CallOptions): Sent<PresenceStateRecord>;
/** Reset the lamps of an extension to the current state. */ reset(extension: string, options?: CallOptions): Sent<string>;
/** Set the lamps of a user, or let them show what is. */ setOfUser(user_id: string, data: {
/** reset, or set to a state */ readonly action: "reset" | "set" | (string & {});
/** on, blinking or off (with action set) */ readonly state?: "confirmed" | "early" | "terminated" | (string & {});
}, options?: CallOptions): Sent<string>;
/** Set the lamps of a device, or let them show what is. */ setOfDevice(device_id: string, data: {
/** reset, or set to a state */ readonly action: "reset" | "set" | (string & {});
/** on, blinking or off (with action set) */ readonly state?: "confirmed" | "early" | "terminated" | (string & {});
}, options?: CallOptions): Sent<string>;
};
/** Background jobs of the service that process CSV files. */ readonly tasks: {
/** List tasks, newest first. */ list(options?: CallOptions): Records<TaskRecord>;
/** Show one task. */ get(task_id: string, options?: CallOptions): Sent<TaskRecord>;
/** Create a task from rows, or without rows; start it separately. */ submit(data: {
/** Rows to process */ readonly records?: readonly ({ readonly [key: string]: unknown })[];
/** Name of the rows, for reference */ readonly file_name?: string;
readonly [key: string]: unknown;
}, options: CallOptions<{ /** Category of the job, such as number_management */ readonly category: string; /** Action of the job, such as list */ readonly action: string; /** Name of the file, for reference */ readonly file_name?: string; }> & { readonly query: unknown }): Sent<TaskRecord>;
/** Create a task from a CSV file; start it separately. */ submitFile(file: SentFile, options: CallOptions<{ /** Category of the job, such as number_management */ readonly category: string; /** Action of the job, such as list */ readonly action: string; /** Name of the file, for reference */ readonly file_name?: string; }> & { readonly query: unknown }): Sent<TaskRecord>;
/** Start a task. */ start(task_id: string, options?: CallOptions): Sent<TaskRecord>;
/** Stop a task; it cannot be restarted. */ stop(task_id: string, options?: CallOptions): Sent<TaskRecord>;
/** Remove a task that is not running. */ delete(task_id: string, options?: CallOptions): Sent<TaskRecord>;
/** Download the input rows of a task as CSV. */ input(task_id: string, options?: CallOptions): Sent<SentFile>;
/** Download the result of each row as CSV. */ output(task_id: string, options?: CallOptions): Sent<SentFile>;
/** Show the available tasks and their columns. */ actions(options?: CallOptions): Sent<{
/** By category */ readonly tasks?: { readonly [key: string]: { readonly [key: string]: { readonly [key: string]: unknown } } };
readonly [key: string]: unknown;
}>;
};
/** SSO applications. */ readonly apps: {
/** List SSO applications. */ list(options?: CallOptions<{ /** Account whose applications are listed */ readonly account_id?: string; }>): Records<AppRecord>;
/** Show one SSO application. */ get(app_id: string, options?: CallOptions): Sent<AppRecord>;
/** Create an SSO application. */ create(data: AppInput, options?: CallOptions): Sent<AppRecord>;
/** Replace an SSO application; missing fields are removed. */ update(app_id: string, data: AppInput, options?: CallOptions): Sent<AppRecord>;
/** Delete an SSO application. */ delete(app_id: string, options?: CallOptions): Sent<AppRecord>;
/** List SSO applications of an account. */ listOfAccount(options?: CallOptions): Records<AppRecord>;
};
/** Call detail records: who called whom, when, how long and why it ended. */ readonly cdrs: {
/** List call records in a time range. */ list(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; /** Seconds to add to the date and time of each record */ readonly utc_offset?: string; }>): Records<CdrRecord>;
/** Show one call record. */ get(cdr_id: string, options?: CallOptions): Sent<CdrRecord>;
/** List call records of a user. */ ofUser(user_id: string, options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; /** Seconds to add to the date and time of each record */ readonly utc_offset?: string; }>): Records<CdrRecord>;
/** List calls, with one leg for each. */ interactions(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; /** Seconds to add to the date and time of each record */ readonly utc_offset?: string; }>): Records<CdrRecord>;
/** List calls of a user, with one leg for each. */ interactionsOfUser(user_id: string, options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; /** Seconds to add to the date and time of each record */ readonly utc_offset?: string; }>): Records<CdrRecord>;
/** List the legs of a call, by the id of the call or of one of its records. */ legs(interaction_id: string, options?: CallOptions): Records<CdrRecord>;
/** Show the total call seconds from and to carriers. */ summary(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Sent<{
/** Seconds from carriers, by address and number class */ readonly inbound?: { readonly [key: string]: unknown };
/** Seconds to carriers, by address and number class */ readonly outbound?: { readonly [key: string]: unknown };
}>;
};
/** SSO providers. */ readonly providers: {
/** List SSO providers. */ list(options?: CallOptions): Records<ProviderRecord>;
/** Show one SSO provider. */ get(provider_id: string, options?: CallOptions): Sent<ProviderRecord>;
/** Replace an SSO provider; missing fields are removed. */ update(provider_id: string, data: ProviderInput, options?: CallOptions): Sent<ProviderRecord>;
/** Delete an SSO provider. */ delete(provider_id: string, options?: CallOptions): Sent<ProviderRecord>;
};
/** Call recordings and their audio. */ readonly recordings: {
/** List recordings in a time range. */ list(options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<RecordingRecord>;
/** Show one recording. */ get(recording_id: string, options: CallOptions & { readonly accept: "audio/mpeg" | "audio/x-wav" }): Sent<string>;
/** Show one recording. */ get(recording_id: string, options?: CallOptions): Sent<RecordingRecord>;
/** Delete a recording. */ delete(recording_id: string, options?: CallOptions): Sent<RecordingRecord>;
/** List recordings of a user. */ ofUser(user_id: string, options?: CallOptions<{ /** Start of the range, in Gregorian seconds (at most 31 days and one hour before the end) */ readonly created_from?: string; /** End of the range, in Gregorian seconds (default: now) */ readonly created_to?: string; }>): Records<RecordingRecord>;
};
/** The signed-in user's links to SSO applications. */ readonly links: {
/** List links. */ list(options?: CallOptions): Records<LinkRecord>;
/** Show one link. */ get(link_id: string, options?: CallOptions): Sent<LinkRecord>;
/** Unlink the user from an SSO application. */ delete(link_id: string, options?: CallOptions): Sent<LinkRecord>;
/** Link the user to an SSO application. */ link(link_id: string, data: { readonly [key: string]: unknown }, options?: CallOptions): Sent<LinkRecord>;
};
/** Keys that sign tokens. */ readonly keys: {
/** List the ids of the signing keys. */ list(options?: CallOptions): Sent<readonly (string)[]>;
/** Show a public key. */ get(key_id: string, options: CallOptions & { readonly accept: "application/x-pem-file" }): Sent<string>;
/** Show a public key. */ get(key_id: string, options?: CallOptions): Sent<KeyRecord>;
/** Replace the private key and end all tokens of the service. */ reset(key_id: string, options?: CallOptions): Sent<void>;
};
/** Ways to sign in to an account, tokens and second factors, and attempts. */ readonly security: {
/** Show the ways to sign in, including inherited ones. */ get(options?: CallOptions): Sent<SecuritySettingRecord>;
/** Replace the ways to sign in of an account. */ update(data: SecuritySettingInput, options?: CallOptions): Sent<SecuritySettingRecord>;
/** Change the ways to sign in of an account. */ patch(data: SecuritySettingChanges, options?: CallOptions): Sent<SecuritySettingRecord>;
/** Remove an account's settings and use the inherited ones again. */ delete(options?: CallOptions): Sent<SecuritySettingRecord>;
/** List logged sign-in attempts. */ attempts(options?: CallOptions): Records<{
/** Id */ readonly id?: string;
/** jwt_auth_token or multi_factor */ readonly auth_type?: string;
/** Module that handled the attempt */ readonly auth_module?: string;
/** success or failed */ readonly status?: string;
/** Reason */ readonly message?: string;
/** Time, in Gregorian seconds */ readonly timestamp?: number;
/** Address of the client */ readonly client_ip?: string;
/** Headers of the request */ readonly client_headers?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}>;
/** List the sign-in modules. */ modules(options?: CallOptions): Sent<{
/** Modules */ readonly available_auth_modules?: readonly (string)[];
readonly [key: string]: unknown;
}>;
};
/** API requests allowed for tokens of an account. */ readonly token_restrictions: {
/** Show the rules of tokens. */ get(options?: CallOptions): Sent<TokenRestrictionRecord>;
/** Replace the rules of tokens. */ update(data: TokenRestrictionInput, options?: CallOptions): Sent<TokenRestrictionRecord>;
/** Remove the rules of tokens. */ delete(options?: CallOptions): Sent<TokenRestrictionRecord>;
};
/** Networks that phones of an account may register from. */ readonly access_lists: {
/** Show the networks that phones may register from. */ get(options?: CallOptions): Sent<AccessListRecord>;
/** Replace the networks that phones may register from. */ update(data: AccessListInput, options?: CallOptions): Sent<AccessListRecord>;
/** Remove the networks that phones may register from. */ delete(options?: CallOptions): Sent<AccessListRecord>;
};
/** Networks known to the switches of the service (super administrators only). */ readonly acls: {
/** List the networks known to the switches. */ ofAccount(options?: CallOptions): Sent<{ readonly [key: string]: {
/** Network */ readonly cidr?: string;
/** allow or deny */ readonly type?: string;
/** authoritative or trusted */ readonly "network-list-name"?: string;
/** Description */ readonly description?: string;
} }>;
/** List the networks known to the switches, without an account. */ everywhere(options?: CallOptions): Sent<{ readonly [key: string]: {
/** Network */ readonly cidr?: string;
/** allow or deny */ readonly type?: string;
/** authoritative or trusted */ readonly "network-list-name"?: string;
/** Description */ readonly description?: string;
} }>;
};
/** SIP request limits of an account and its devices. */ readonly rate_limits: {
/** Show the limits of SIP requests. */ get(options?: CallOptions): Sent<RateLimitRecord>;
/** Replace the limits of SIP requests. */ update(data: RateLimitInput, options?: CallOptions): Sent<RateLimitRecord>;
/** Remove the limits of SIP requests. */ delete(options?: CallOptions): Sent<RateLimitRecord>;
};
/** Second factors at sign-in: providers and their settings. */ readonly multi_factor: {
/** List second factors. */ list(options?: CallOptions): Records<SecondFactorRecord>;
/** Show one second factor. */ get(multi_factor_id: string, options?: CallOptions): Sent<SecondFactorRecord>;
/** Create a second factor. */ create(data: SecondFactorInput, options?: CallOptions): Sent<SecondFactorRecord>;
/** Replace a second factor; missing fields are removed. */ update(multi_factor_id: string, data: SecondFactorInput, options?: CallOptions): Sent<SecondFactorRecord>;
/** Change fields of a second factor. */ patch(multi_factor_id: string, data: SecondFactorChanges, options?: CallOptions): Sent<SecondFactorRecord>;
/** Delete a second factor. */ delete(multi_factor_id: string, options?: CallOptions): Sent<SecondFactorRecord>;
};
/** Search by prefix of a name or number, performed by the service. */ readonly search: {
/** Find records of an account. */ ofAccount(options: CallOptions<{ /** Record type: account, user, callflow, device, … */ readonly t: string; /** Search key: name, number, name_and_number (for accounts: name, realm, id) */ readonly q: string; /** Prefix of the value, or true to find all records */ readonly v: string; }> & { readonly query: unknown }): Records<SearchHitRecord>;
/** Find records of an account in several ways at once. */ multi(options: CallOptions<{ /** Record type: account, user, callflow, device, … */ readonly t: string; /** How the name begins */ readonly by_name?: string; /** How the number begins */ readonly by_number?: string; /** How the name and number begins */ readonly by_name_and_number?: string; /** How the realm begins */ readonly by_realm?: string; /** How the id begins */ readonly by_id?: string; }> & { readonly query: unknown }): Sent<{ readonly [key: string]: readonly ({
/** Id */ readonly id?: string;
/** Name */ readonly name?: string;
/** First name */ readonly first_name?: string;
/** Last name */ readonly last_name?: string;
/** Numbers of a callflow */ readonly numbers?: readonly (string)[];
/** Realm of an account */ readonly realm?: string;
/** Accounts below an account */ readonly descendants_count?: number;
readonly [key: string]: unknown;
})[] }>;
/** Find accounts below the one of the token in several ways at once. */ multiEverywhere(options: CallOptions<{ /** Record type: account, user, callflow, device, … */ readonly t: string; /** How the name begins */ readonly by_name?: string; /** How the number begins */ readonly by_number?: string; /** How the name and number begins */ readonly by_name_and_number?: string; /** How the realm begins */ readonly by_realm?: string; /** How the id begins */ readonly by_id?: string; }> & { readonly query: unknown }): Sent<{ readonly [key: string]: readonly ({
/** Id */ readonly id?: string;
/** Name */ readonly name?: string;
/** First name */ readonly first_name?: string;
/** Last name */ readonly last_name?: string;
/** Numbers of a callflow */ readonly numbers?: readonly (string)[];
/** Realm of an account */ readonly realm?: string;
/** Accounts below an account */ readonly descendants_count?: number;
readonly [key: string]: unknown;
})[] }>;
/** Find accounts below the account of the token. */ everywhere(options: CallOptions<{ /** Record type: account, user, callflow, device, … */ readonly t: string; /** Search key: name, number, name_and_number (for accounts: name, realm, id) */ readonly q: string; /** Prefix of the value, or true to find all records */ readonly v: string; }> & { readonly query: unknown }): Records<SearchHitRecord>;
};
}
/** Networks that phones may register from */
export interface AccessListRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Order of evaluation: the last matching rule applies */ readonly order?: "allow,deny" | "deny,allow" | (string & {});
/** Networks, such as 203.0.113.0/24 */ readonly cidrs?: readonly (string)[];
/** Regular expression for the name of the phone */ readonly user_agent?: string;
}
/** Networks that phones may register from */
export interface AccessListInput {
/** Order of evaluation: the last matching rule applies */ readonly order: "allow,deny" | "deny,allow" | (string & {});
/** Networks, such as 203.0.113.0/24 */ readonly cidrs: readonly (string)[];
/** Regular expression for the name of the phone */ readonly user_agent?: string;
}
/** An account */
export interface AccountRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** SIP realm, unique across the service */ readonly realm?: string;
/** Organization */ readonly org?: string;
/** Language, such as en-US */ readonly language?: string;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Allow users to sign in and place calls */ readonly enabled?: boolean;
/** Active blacklists */ readonly blacklists?: readonly (string)[];
/** Recording settings of the account and of its endpoints */ readonly call_recording?: {
/** Recording settings, by direction of the call */ readonly account?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
};
/** Recording settings, by direction of the call */ readonly endpoint?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
};
};
/** Restrictions by class of the dialed number: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: {
/** deny refuses calls of the class, inherit uses the setting of the owner and the account */ readonly action?: "inherit" | "deny" | (string & {});
} };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** Caller id details to hide on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
/** Show the rate of the call */ readonly show_rate?: boolean;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: { readonly [key: string]: readonly (string)[] | {
/** Purpose of the rule */ readonly description?: string;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
} };
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: unknown };
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Notifications to the account */ readonly notifications?: {
/** Notifications about first events */ readonly first_occurrence?: {
/** The notification about the first call was sent */ readonly sent_initial_call?: boolean;
/** Notice of the first registration was sent */ readonly sent_initial_registration?: boolean;
};
/** Notifications about a low balance */ readonly low_balance?: {
/** Send notices */ readonly enabled?: boolean;
/** Time of the last notification */ readonly last_notification?: number;
/** A notification was sent */ readonly sent_low_balance?: boolean;
/** Amount */ readonly threshold?: number | number;
};
};
/** Callflow that runs before all others */ readonly preflow?: {
/** Callflow that handles every call first */ readonly always?: string;
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
/** Number of attempts */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between attempts */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each attempt */ readonly schedule?: readonly (number)[];
/** Seconds to ring */ readonly timeout_s?: number;
};
};
};
/** Zones: home */ readonly zones?: { readonly [key: string]: unknown };
/** Number of accounts below it */ readonly descendants_count?: number;
/** Accounts above it, from the top */ readonly tree?: readonly (string)[];
/** Time of creation, in Gregorian seconds */ readonly created?: number;
/** Sells to the accounts below it */ readonly is_reseller?: boolean;
/** Account of its reseller */ readonly reseller_id?: string;
/** The account of the super administrator */ readonly superduper_admin?: boolean;
/** May add numbers */ readonly wnm_allow_additions?: boolean;
/** Billing mode */ readonly billing_mode?: string;
/** Way in which notifications are created */ readonly notification_preference?: string;
/** Seconds until the trial ends */ readonly trial_time_left?: number;
}
/** An account */
export interface AccountChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** SIP realm, unique across the service */ readonly realm?: string | null;
/** Organization */ readonly org?: string | null;
/** Language, such as en-US */ readonly language?: string | null;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string | null;
/** Allow users to sign in and place calls */ readonly enabled?: boolean | null;
/** Active blacklists */ readonly blacklists?: readonly (string)[] | null;
/** Recording settings of the account and of its endpoints */ readonly call_recording?: {
/** Recording settings, by direction of the call */ readonly account?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
} | null;
/** Recording settings, by direction of the call */ readonly endpoint?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
} | null;
} | null;
/** Restrictions by class of the dialed number: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: {
/** deny refuses calls of the class, inherit uses the setting of the owner and the account */ readonly action?: string | null;
} | null } | null;
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
/** Realm of the asserted identity */ readonly realm?: string | null;
} | null;
/** Shown on emergency calls */ readonly emergency?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
} | null;
/** Shown outside the account */ readonly external?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
} | null;
/** Shown inside the account */ readonly internal?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
} | null;
} | null;
/** Caller id options */ readonly caller_id_options?: {
/** Caller id details to hide on outbound calls */ readonly outbound_privacy?: string | null;
/** Show the rate of the call */ readonly show_rate?: boolean | null;
} | null;
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: { readonly [key: string]: readonly (string)[] | null | {
/** Purpose of the rule */ readonly description?: string | null;
/** Digits added before the number */ readonly prefix?: string | null;
/** Digits added after the number */ readonly suffix?: string | null;
} | null } | null;
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** Formatters by field */ readonly formatters?: { readonly [key: string]: unknown } | null;
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow */ readonly binding_digit?: string | null;
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number | null;
/** Leg that can dial */ readonly listen_on?: string | null;
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown } | null;
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown } | null;
} | null;
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string | null;
readonly [key: string]: unknown;
} | null;
/** Notifications to the account */ readonly notifications?: {
/** Notifications about first events */ readonly first_occurrence?: {
/** The notification about the first call was sent */ readonly sent_initial_call?: boolean | null;
/** Notice of the first registration was sent */ readonly sent_initial_registration?: boolean | null;
} | null;
/** Notifications about a low balance */ readonly low_balance?: {
/** Send notices */ readonly enabled?: boolean | null;
/** Time of the last notification */ readonly last_notification?: number | null;
/** A notification was sent */ readonly sent_low_balance?: boolean | null;
/** Amount */ readonly threshold?: number | number | null;
} | null;
} | null;
/** Callflow that runs before all others */ readonly preflow?: {
/** Callflow that handles every call first */ readonly always?: string | null;
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
/** Number of attempts */ readonly attempts?: number | null;
/** Do not call back */ readonly disabled?: boolean | null;
/** Seconds between attempts */ readonly interval_s?: number | null;
/** Number to call */ readonly number?: string | null;
/** Seconds to wait before each attempt */ readonly schedule?: readonly (number)[] | null;
/** Seconds to ring */ readonly timeout_s?: number | null;
} | null;
} | null;
} | null;
/** Zones: home */ readonly zones?: { readonly [key: string]: unknown } | null;
/** Number of accounts below it */ readonly descendants_count?: number | null;
/** Accounts above it, from the top */ readonly tree?: readonly (string)[] | null;
/** Time of creation, in Gregorian seconds */ readonly created?: number | null;
/** Sells to the accounts below it */ readonly is_reseller?: boolean | null;
/** Account of its reseller */ readonly reseller_id?: string | null;
/** The account of the super administrator */ readonly superduper_admin?: boolean | null;
/** May add numbers */ readonly wnm_allow_additions?: boolean | null;
/** Billing mode */ readonly billing_mode?: string | null;
/** Way in which notifications are created */ readonly notification_preference?: string | null;
/** Seconds until the trial ends */ readonly trial_time_left?: number | null;
}
/** An account */
export interface AccountInput {
/** Name */ readonly name: string;
/** SIP realm, unique across the service */ readonly realm?: string;
/** Organization */ readonly org?: string;
/** Language, such as en-US */ readonly language?: string;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Allow users to sign in and place calls (default: true) */ readonly enabled?: boolean;
/** Active blacklists */ readonly blacklists?: readonly (string)[];
/** Recording settings of the account and of its endpoints */ readonly call_recording?: {
/** Recording settings, by direction of the call */ readonly account?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
};
/** Recording settings, by direction of the call */ readonly endpoint?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
};
};
/** Restrictions by class of the dialed number: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: {
/** deny refuses calls of the class, inherit uses the setting of the owner and the account */ readonly action?: "inherit" | "deny" | (string & {});
} };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** Caller id details to hide on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
/** Show the rate of the call */ readonly show_rate?: boolean;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: { readonly [key: string]: readonly (string)[] | {
/** Purpose of the rule */ readonly description?: string;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
} };
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: unknown };
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow (default: "*") */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Notifications to the account */ readonly notifications?: {
/** Notifications about first events */ readonly first_occurrence?: {
/** The notification about the first call was sent (default: false) */ readonly sent_initial_call?: boolean;
/** Notice of the first registration was sent (default: false) */ readonly sent_initial_registration?: boolean;
};
/** Notifications about a low balance */ readonly low_balance?: {
/** Send notices */ readonly enabled?: boolean;
/** Time of the last notification */ readonly last_notification?: number;
/** A notification was sent */ readonly sent_low_balance?: boolean;
/** Amount */ readonly threshold?: number | number;
};
};
/** Callflow that runs before all others */ readonly preflow?: {
/** Callflow that handles every call first */ readonly always?: string;
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
/** Number of attempts */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between attempts */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each attempt */ readonly schedule?: readonly (number)[];
/** Seconds to ring */ readonly timeout_s?: number;
};
};
};
/** Zones: home */ readonly zones?: { readonly [key: string]: unknown };
}
/** A network */
export interface AclRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name?: string;
/** Network */ readonly cidr?: string;
/** allow or deny */ readonly type?: string;
/** authoritative or trusted */ readonly "network-list-name"?: string;
/** Description */ readonly description?: string;
}
/** An agent: a user with queues */
export interface AgentRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name to sign in with */ readonly username?: string;
/** First name */ readonly first_name?: string;
/** Last name */ readonly last_name?: string;
/** Ids of the queues */ readonly queues?: readonly (string)[];
}
/** An alert */
export interface AlertRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Title */ readonly title?: string;
/** What it says */ readonly message?: string;
/** Category */ readonly category?: string;
/** How grave it is */ readonly level?: string;
/** Facts about it */ readonly metadata?: { readonly [key: string]: unknown };
/** Who says it */ readonly from?: readonly ({
/** account, user, role or all */ readonly type?: "account" | "user" | "role" | "all" | (string & {});
/** Id of the account or user, or the role */ readonly value?: string;
})[];
/** Recipients */ readonly to?: readonly ({
/** account, user, role or all */ readonly type?: "account" | "user" | "role" | "all" | (string & {});
/** Id of the account or user, or the role */ readonly value?: string;
})[];
/** It can be removed */ readonly clearable?: boolean;
/** Expiry, in Gregorian seconds */ readonly expiration_date?: number;
/** Time of creation, in Gregorian seconds */ readonly created?: number;
}
/** An alert */
export interface AlertInput {
/** Title */ readonly title: string;
/** What it says */ readonly message: string;
/** Category */ readonly category?: string;
/** How grave it is */ readonly level?: string;
/** Facts about it */ readonly metadata?: { readonly [key: string]: unknown };
/** Who says it */ readonly from: readonly ({
/** account, user, role or all */ readonly type?: "account" | "user" | "role" | "all" | (string & {});
/** Id of the account or user, or the role */ readonly value?: string;
})[];
/** Recipients */ readonly to: readonly ({
/** account, user, role or all */ readonly type?: "account" | "user" | "role" | "all" | (string & {});
/** Id of the account or user, or the role */ readonly value?: string;
})[];
/** Expiry, in Gregorian seconds */ readonly expiration_date?: number;
}
/** By direction and class of number, such as outbound_did_us */
export type AllotmentRecord = { readonly [key: string]: unknown };
/** By direction and class of number, such as outbound_did_us */
export type AllotmentInput = { readonly [key: string]: unknown };
/** An SSO application */
export interface AppRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Application id at the provider */ readonly client_id?: string;
/** Provider */ readonly provider: string;
/** Secret of the application at the provider */ readonly secret?: string;
/** E-mail address */ readonly email?: string;
/** Name */ readonly name?: string;
/** Purpose */ readonly description?: string;
/** Account that owns it */ readonly account_id?: string;
}
/** An SSO application */
export interface AppInput {
/** Application id at the provider */ readonly client_id: string;
/** Provider */ readonly provider: string;
/** Secret of the application at the provider */ readonly secret: string;
/** E-mail address */ readonly email?: string;
/** Name */ readonly name?: string;
/** Purpose */ readonly description?: string;
}
/** A blacklist */
export interface BlacklistRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Numbers to refuse */ readonly numbers?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** Refuse callers without a number */ readonly should_block_anonymous?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
}
/** A blacklist */
export interface BlacklistChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Numbers to refuse */ readonly numbers?: { readonly [key: string]: { readonly [key: string]: unknown } | null } | null;
/** Refuse callers without a number */ readonly should_block_anonymous?: boolean | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
}
/** A blacklist */
export interface BlacklistInput {
/** Name */ readonly name: string;
/** Numbers to refuse (default: {}) */ readonly numbers?: { readonly [key: string]: { readonly [key: string]: unknown } };
/** Refuse callers without a number */ readonly should_block_anonymous?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
}
/** A brand */
export interface BrandRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name of the company */ readonly company_name?: string;
/** Host name of the web pages */ readonly domain?: string;
/** URL of the API to show */ readonly fake_api_url?: string;
/** Hide credits in the web interface */ readonly hide_credits?: boolean;
/** Hide the "powered by" line in the web interface */ readonly hide_powered?: boolean;
/** Hide registration in the web interface */ readonly hide_registration?: boolean;
/** Hide port requests from accounts that are not resellers */ readonly hide_port?: boolean;
/** Displayed price of an inbound trunk */ readonly inbound_trunks_price?: string;
/** Displayed price of an outbound trunk */ readonly outbound_trunks_price?: string;
/** Displayed price of a two-way trunk */ readonly twoway_trunks_price?: string;
/** Links */ readonly nav?: {
/** Help */ readonly help?: string;
/** Learn more */ readonly learn_more?: string;
};
/** Port requests */ readonly port?: {
readonly authority?: unknown;
/** Features of porting */ readonly features?: string;
/** Letter of authorization form */ readonly loa?: string;
/** Form for toll-free numbers */ readonly resporg?: string;
/** Whom to ask */ readonly support_email?: string;
/** Terms */ readonly terms?: string;
};
}
/** A brand */
export interface BrandInput {
/** Name of the company */ readonly company_name?: string;
/** Host name of the web pages */ readonly domain?: string;
/** URL of the API to show */ readonly fake_api_url?: string;
/** Hide credits in the web interface (default: false) */ readonly hide_credits?: boolean;
/** Hide the "powered by" line in the web interface (default: false) */ readonly hide_powered?: boolean;
/** Hide registration in the web interface (default: false) */ readonly hide_registration?: boolean;
/** Hide port requests from accounts that are not resellers */ readonly hide_port?: boolean;
/** Displayed price of an inbound trunk */ readonly inbound_trunks_price?: string;
/** Displayed price of an outbound trunk */ readonly outbound_trunks_price?: string;
/** Displayed price of a two-way trunk */ readonly twoway_trunks_price?: string;
/** Links */ readonly nav?: {
/** Help */ readonly help?: string;
/** Learn more */ readonly learn_more?: string;
};
/** Port requests */ readonly port?: {
readonly authority?: unknown;
/** Features of porting */ readonly features?: string;
/** Letter of authorization form */ readonly loa?: string;
/** Form for toll-free numbers */ readonly resporg?: string;
/** Whom to ask */ readonly support_email?: string;
/** Terms */ readonly terms?: string;
};
}
/** A callflow */
export interface CallflowRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name?: string;
/** Numbers and extensions that reach this callflow */ readonly numbers?: readonly (string)[];
/** Regular expressions for numbers that reach this callflow */ readonly patterns?: readonly (string)[];
readonly flow?: FlowNode;
/** Feature code of the callflow */ readonly featurecode?: {
/** Name of the feature */ readonly name?: string;
/** Code to dial */ readonly number?: string;
};
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** What callers can dial during a call */ readonly metaflow?: {
/** Key that starts a metaflow */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Ringback media for the caller */ readonly ringback?: {
/** Media played while the call rings */ readonly early?: string;
/** Media played during a transfer */ readonly transfer?: string;
};
/** Purpose set by the program that created it: mainUserCallflow, main, conference, … */ readonly type?: string;
/** User who owns it */ readonly owner_id?: string;
/** Group that owns it */ readonly group_id?: string;
/** Modules of the flow */ readonly modules?: readonly (string)[];
/** Names of the records that the flow refers to */ readonly metadata?: { readonly [key: string]: unknown };
}
/** A callflow */
export interface CallflowChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Numbers and extensions that reach this callflow */ readonly numbers?: readonly (string)[] | null;
/** Regular expressions for numbers that reach this callflow */ readonly patterns?: readonly (string)[] | null;
readonly flow?: FlowNodeChanges;
/** Feature code of the callflow */ readonly featurecode?: {
/** Name of the feature */ readonly name?: string | null;
/** Code to dial */ readonly number?: string | null;
} | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** What callers can dial during a call */ readonly metaflow?: {
/** Key that starts a metaflow */ readonly binding_digit?: string | null;
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number | null;
/** Leg that can dial */ readonly listen_on?: string | null;
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown } | null;
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown } | null;
} | null;
/** Ringback media for the caller */ readonly ringback?: {
/** Media played while the call rings */ readonly early?: string | null;
/** Media played during a transfer */ readonly transfer?: string | null;
} | null;
/** Purpose set by the program that created it: mainUserCallflow, main, conference, … */ readonly type?: string | null;
/** User who owns it */ readonly owner_id?: string | null;
/** Group that owns it */ readonly group_id?: string | null;
/** Modules of the flow */ readonly modules?: readonly (string)[] | null;
/** Names of the records that the flow refers to */ readonly metadata?: { readonly [key: string]: unknown } | null;
}
/** A callflow */
export interface CallflowInput {
/** Name */ readonly name?: string;
/** Numbers and extensions that reach this callflow */ readonly numbers?: readonly (string)[];
/** Regular expressions for numbers that reach this callflow */ readonly patterns?: readonly (string)[];
readonly flow?: FlowNodeInput;
/** Feature code of the callflow */ readonly featurecode?: {
/** Name of the feature */ readonly name?: string;
/** Code to dial */ readonly number?: string;
};
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** What callers can dial during a call */ readonly metaflow?: {
/** Key that starts a metaflow (default: "*") */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Ringback media for the caller */ readonly ringback?: {
/** Media played while the call rings */ readonly early?: string;
/** Media played during a transfer */ readonly transfer?: string;
};
/** Purpose set by the program that created it: mainUserCallflow, main, conference, … */ readonly type?: string;
/** User who owns it */ readonly owner_id?: string;
/** Group that owns it */ readonly group_id?: string;
}
/** An outside line */
export interface CarrierRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Gateways of the carrier, tried in the order of gateway_strategy */ readonly gateways?: readonly ({
/** Host or address of the carrier */ readonly server: string;
/** Port */ readonly port?: number;
/** Name to sign in with */ readonly username?: string;
/** Password to sign in with */ readonly password?: string;
/** Realm to sign in at */ readonly realm?: string;
/** May be used */ readonly enabled?: boolean;
/** Kind of line */ readonly endpoint_type?: "sip" | "freetdm" | "skype" | "amqp" | (string & {});
/** Format of the numbers sent to the carrier */ readonly invite_format?: "route" | "username" | "e164" | "npan" | "1npan" | "strip_plus" | (string & {});
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Codecs, best first */ readonly codecs?: readonly ("G729" | "PCMU" | "PCMA" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "GSM" | "OPUS" | "H261" | "H263" | "H264" | "VP8" | (string & {}))[];
/** Caller id to send */ readonly caller_id_type?: "internal" | "external" | "emergency" | (string & {});
/** Audio bypasses the service */ readonly bypass_media?: boolean;
/** Accept calls from this port only */ readonly force_port?: boolean;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Realm of the From header */ readonly from_uri_realm?: string;
/** Source address of calls, if it differs from the server */ readonly inbound_ip?: string;
/** Seconds to wait for ringing */ readonly progress_timeout?: number;
/** Register with the carrier */ readonly register?: boolean;
/** Fixed SIP address for every call */ readonly route?: string;
/** SIP headers to send, by name */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
/** Outbound interface of the switch */ readonly custom_sip_interface?: string;
/** Parameters of the request URI */ readonly invite_parameters?: {
/** Names of properties of the call */ readonly dynamic?: readonly (unknown)[];
/** Static texts */ readonly static?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Order in which channels of a line are used */ readonly channel_selection?: "ascending" | "descending" | (string & {});
/** Rotate among Skype accounts */ readonly skype_rr?: boolean;
/** Media settings */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Use one port for RTP and RTCP */ readonly rtcp_mux?: boolean;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
})[];
/** May be used */ readonly enabled?: boolean;
/** Weight: lower values are tried first */ readonly weight_cost?: number;
/** Carries emergency calls */ readonly emergency?: boolean;
/** Regular expressions for dialed numbers; the first captured group is sent */ readonly rules?: readonly (string)[];
/** Regular expressions for numbers of test calls */ readonly rules_test?: readonly (string)[];
/** Regular expressions for the caller's number */ readonly cid_rules?: readonly (string)[];
/** Settings by number class, such as did_us; used instead of rules */ readonly classifiers?: { readonly [key: string]: {
/** May be used */ readonly enabled?: boolean;
/** Carries emergency calls */ readonly emergency?: boolean;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Regular expression that replaces the one of the class */ readonly regex?: string;
/** Weight: lower values are tried first */ readonly weight_cost?: number;
} };
/** Flags that the carrier accepts (it skips calls with other flags) */ readonly flags?: readonly (string)[];
/** Accept calls with any flags */ readonly ignore_flags?: boolean;
/** Skip calls without flags */ readonly require_flags?: boolean;
/** Caller ids */ readonly caller_id_options?: {
/** Caller id to send */ readonly type?: "internal" | "external" | "emergency" | (string & {});
readonly [key: string]: unknown;
};
/** Order of the gateways */ readonly gateway_strategy?: "sequential" | "random" | (string & {});
/** Seconds before the next carrier is tried in parallel */ readonly grace_period?: number;
/** Send the caller's realm in the From header */ readonly from_account_realm?: boolean;
/** Realm of the From header; overrides from_account_realm */ readonly from_uri_realm?: string;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Numbers that never use flat-rate trunks */ readonly flat_rate_blacklist?: string;
/** Numbers that may use flat-rate trunks */ readonly flat_rate_whitelist?: string;
/** Accept calls from the gateways' addresses without a password */ readonly peer?: boolean;
/** Template that it was created from */ readonly template_name?: string;
}
/** An outside line */
export interface CarrierChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Gateways of the carrier, tried in the order of gateway_strategy */ readonly gateways?: readonly ({
/** Host or address of the carrier */ readonly server: string;
/** Port */ readonly port?: number;
/** Name to sign in with */ readonly username?: string;
/** Password to sign in with */ readonly password?: string;
/** Realm to sign in at */ readonly realm?: string;
/** May be used */ readonly enabled?: boolean;
/** Kind of line */ readonly endpoint_type?: "sip" | "freetdm" | "skype" | "amqp" | (string & {});
/** Format of the numbers sent to the carrier */ readonly invite_format?: "route" | "username" | "e164" | "npan" | "1npan" | "strip_plus" | (string & {});
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Codecs, best first */ readonly codecs?: readonly ("G729" | "PCMU" | "PCMA" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "GSM" | "OPUS" | "H261" | "H263" | "H264" | "VP8" | (string & {}))[];
/** Caller id to send */ readonly caller_id_type?: "internal" | "external" | "emergency" | (string & {});
/** Audio bypasses the service */ readonly bypass_media?: boolean;
/** Accept calls from this port only */ readonly force_port?: boolean;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Realm of the From header */ readonly from_uri_realm?: string;
/** Source address of calls, if it differs from the server */ readonly inbound_ip?: string;
/** Seconds to wait for ringing */ readonly progress_timeout?: number;
/** Register with the carrier */ readonly register?: boolean;
/** Fixed SIP address for every call */ readonly route?: string;
/** SIP headers to send, by name */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
/** Outbound interface of the switch */ readonly custom_sip_interface?: string;
/** Parameters of the request URI */ readonly invite_parameters?: {
/** Names of properties of the call */ readonly dynamic?: readonly (unknown)[];
/** Static texts */ readonly static?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Order in which channels of a line are used */ readonly channel_selection?: "ascending" | "descending" | (string & {});
/** Rotate among Skype accounts */ readonly skype_rr?: boolean;
/** Media settings */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Use one port for RTP and RTCP */ readonly rtcp_mux?: boolean;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
})[] | null;
/** May be used */ readonly enabled?: boolean | null;
/** Weight: lower values are tried first */ readonly weight_cost?: number | null;
/** Carries emergency calls */ readonly emergency?: boolean | null;
/** Regular expressions for dialed numbers; the first captured group is sent */ readonly rules?: readonly (string)[] | null;
/** Regular expressions for numbers of test calls */ readonly rules_test?: readonly (string)[] | null;
/** Regular expressions for the caller's number */ readonly cid_rules?: readonly (string)[] | null;
/** Settings by number class, such as did_us; used instead of rules */ readonly classifiers?: { readonly [key: string]: {
/** May be used */ readonly enabled?: boolean | null;
/** Carries emergency calls */ readonly emergency?: boolean | null;
/** Digits added before the number */ readonly prefix?: string | null;
/** Digits added after the number */ readonly suffix?: string | null;
/** Regular expression that replaces the one of the class */ readonly regex?: string | null;
/** Weight: lower values are tried first */ readonly weight_cost?: number | null;
} | null } | null;
/** Flags that the carrier accepts (it skips calls with other flags) */ readonly flags?: readonly (string)[] | null;
/** Accept calls with any flags */ readonly ignore_flags?: boolean | null;
/** Skip calls without flags */ readonly require_flags?: boolean | null;
/** Caller ids */ readonly caller_id_options?: {
/** Caller id to send */ readonly type?: string | null;
readonly [key: string]: unknown;
} | null;
/** Order of the gateways */ readonly gateway_strategy?: string | null;
/** Seconds before the next carrier is tried in parallel */ readonly grace_period?: number | null;
/** Send the caller's realm in the From header */ readonly from_account_realm?: boolean | null;
/** Realm of the From header; overrides from_account_realm */ readonly from_uri_realm?: string | null;
/** Rewrite the From header */ readonly format_from_uri?: boolean | null;
/** Numbers that never use flat-rate trunks */ readonly flat_rate_blacklist?: string | null;
/** Numbers that may use flat-rate trunks */ readonly flat_rate_whitelist?: string | null;
/** Accept calls from the gateways' addresses without a password */ readonly peer?: boolean | null;
/** Template that it was created from */ readonly template_name?: string | null;
}
/** An outside line */
export interface CarrierInput {
/** Name */ readonly name: string;
/** Gateways of the carrier, tried in the order of gateway_strategy */ readonly gateways: readonly ({
/** Host or address of the carrier */ readonly server: string;
/** Port (default: 5060) */ readonly port?: number;
/** Name to sign in with */ readonly username?: string;
/** Password to sign in with */ readonly password?: string;
/** Realm to sign in at */ readonly realm?: string;
/** May be used (default: true) */ readonly enabled?: boolean;
/** Kind of line (default: "sip") */ readonly endpoint_type?: "sip" | "freetdm" | "skype" | "amqp" | (string & {});
/** Format of the numbers sent to the carrier (default: "route") */ readonly invite_format?: "route" | "username" | "e164" | "npan" | "1npan" | "strip_plus" | (string & {});
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Codecs, best first */ readonly codecs?: readonly ("G729" | "PCMU" | "PCMA" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "GSM" | "OPUS" | "H261" | "H263" | "H264" | "VP8" | (string & {}))[];
/** Caller id to send */ readonly caller_id_type?: "internal" | "external" | "emergency" | (string & {});
/** Audio bypasses the service */ readonly bypass_media?: boolean;
/** Accept calls from this port only (default: false) */ readonly force_port?: boolean;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Realm of the From header */ readonly from_uri_realm?: string;
/** Source address of calls, if it differs from the server */ readonly inbound_ip?: string;
/** Seconds to wait for ringing */ readonly progress_timeout?: number;
/** Register with the carrier */ readonly register?: boolean;
/** Fixed SIP address for every call */ readonly route?: string;
/** SIP headers to send, by name */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
/** Outbound interface of the switch */ readonly custom_sip_interface?: string;
/** Parameters of the request URI */ readonly invite_parameters?: {
/** Names of properties of the call */ readonly dynamic?: readonly (unknown)[];
/** Static texts */ readonly static?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Order in which channels of a line are used (default: "ascending") */ readonly channel_selection?: "ascending" | "descending" | (string & {});
/** Rotate among Skype accounts (default: true) */ readonly skype_rr?: boolean;
/** Media settings */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Use one port for RTP and RTCP */ readonly rtcp_mux?: boolean;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
})[];
/** May be used (default: true) */ readonly enabled?: boolean;
/** Weight: lower values are tried first (default: 50) */ readonly weight_cost?: number;
/** Carries emergency calls (default: false) */ readonly emergency?: boolean;
/** Regular expressions for dialed numbers; the first captured group is sent (default: []) */ readonly rules?: readonly (string)[];
/** Regular expressions for numbers of test calls (default: []) */ readonly rules_test?: readonly (string)[];
/** Regular expressions for the caller's number */ readonly cid_rules?: readonly (string)[];
/** Settings by number class, such as did_us; used instead of rules */ readonly classifiers?: { readonly [key: string]: {
/** May be used (default: true) */ readonly enabled?: boolean;
/** Carries emergency calls (default: false) */ readonly emergency?: boolean;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Regular expression that replaces the one of the class */ readonly regex?: string;
/** Weight: lower values are tried first (default: 50) */ readonly weight_cost?: number;
} };
/** Flags that the carrier accepts (it skips calls with other flags) (default: []) */ readonly flags?: readonly (string)[];
/** Accept calls with any flags */ readonly ignore_flags?: boolean;
/** Skip calls without flags */ readonly require_flags?: boolean;
/** Caller ids */ readonly caller_id_options?: {
/** Caller id to send */ readonly type?: "internal" | "external" | "emergency" | (string & {});
readonly [key: string]: unknown;
};
/** Order of the gateways */ readonly gateway_strategy?: "sequential" | "random" | (string & {});
/** Seconds before the next carrier is tried in parallel (default: 5) */ readonly grace_period?: number;
/** Send the caller's realm in the From header (default: false) */ readonly from_account_realm?: boolean;
/** Realm of the From header; overrides from_account_realm */ readonly from_uri_realm?: string;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Numbers that never use flat-rate trunks */ readonly flat_rate_blacklist?: string;
/** Numbers that may use flat-rate trunks */ readonly flat_rate_whitelist?: string;
/** Accept calls from the gateways' addresses without a password */ readonly peer?: boolean;
/** Template that it was created from */ readonly template_name?: string;
}
/** A job */
export interface CarrierJobRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name?: string;
/** Carrier of the numbers */ readonly resource_id?: string;
/** Numbers in E.164 format */ readonly numbers?: readonly (string)[];
/** pending, running or complete */ readonly status?: string;
/** Time of the request, in Gregorian seconds */ readonly timestamp?: number;
/** Imported numbers */ readonly success?: { readonly [key: string]: unknown };
/** Numbers that failed, with the reason */ readonly errors?: { readonly [key: string]: unknown };
}
/** A job */
export interface CarrierJobInput {
/** Name */ readonly name?: string;
/** Carrier of the numbers */ readonly resource_id: string;
/** Numbers in E.164 format */ readonly numbers: readonly (string)[];
}
/** A template of an outside line */
export interface CarrierTemplateRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Gateways of the carrier, tried in the order of gateway_strategy */ readonly gateways?: readonly ({
/** Host or address of the carrier */ readonly server: string;
/** Port */ readonly port?: number;
/** Name to sign in with */ readonly username?: string;
/** Password to sign in with */ readonly password?: string;
/** Realm to sign in at */ readonly realm?: string;
/** May be used */ readonly enabled?: boolean;
/** Kind of line */ readonly endpoint_type?: "sip" | "freetdm" | "skype" | "amqp" | (string & {});
/** Format of the numbers sent to the carrier */ readonly invite_format?: "route" | "username" | "e164" | "npan" | "1npan" | "strip_plus" | (string & {});
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Codecs, best first */ readonly codecs?: readonly ("G729" | "PCMU" | "PCMA" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "GSM" | "OPUS" | "H261" | "H263" | "H264" | "VP8" | (string & {}))[];
/** Caller id to send */ readonly caller_id_type?: "internal" | "external" | "emergency" | (string & {});
/** Audio bypasses the service */ readonly bypass_media?: boolean;
/** Accept calls from this port only */ readonly force_port?: boolean;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Realm of the From header */ readonly from_uri_realm?: string;
/** Source address of calls, if it differs from the server */ readonly inbound_ip?: string;
/** Seconds to wait for ringing */ readonly progress_timeout?: number;
/** Register with the carrier */ readonly register?: boolean;
/** Fixed SIP address for every call */ readonly route?: string;
/** SIP headers to send, by name */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
/** Outbound interface of the switch */ readonly custom_sip_interface?: string;
/** Parameters of the request URI */ readonly invite_parameters?: {
/** Names of properties of the call */ readonly dynamic?: readonly (unknown)[];
/** Static texts */ readonly static?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Order in which channels of a line are used */ readonly channel_selection?: "ascending" | "descending" | (string & {});
/** Rotate among Skype accounts */ readonly skype_rr?: boolean;
/** Media settings */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Use one port for RTP and RTCP */ readonly rtcp_mux?: boolean;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
})[];
/** May be used */ readonly enabled?: boolean;
/** Weight: lower values are tried first */ readonly weight_cost?: number;
/** Carries emergency calls */ readonly emergency?: boolean;
/** Regular expressions for dialed numbers; the first captured group is sent */ readonly rules?: readonly (string)[];
/** Regular expressions for numbers of test calls */ readonly rules_test?: readonly (string)[];
/** Regular expressions for the caller's number */ readonly cid_rules?: readonly (string)[];
/** Settings by number class, such as did_us; used instead of rules */ readonly classifiers?: { readonly [key: string]: {
/** May be used */ readonly enabled?: boolean;
/** Carries emergency calls */ readonly emergency?: boolean;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Regular expression that replaces the one of the class */ readonly regex?: string;
/** Weight: lower values are tried first */ readonly weight_cost?: number;
} };
/** Flags that the carrier accepts (it skips calls with other flags) */ readonly flags?: readonly (string)[];
/** Accept calls with any flags */ readonly ignore_flags?: boolean;
/** Skip calls without flags */ readonly require_flags?: boolean;
/** Caller ids */ readonly caller_id_options?: {
/** Caller id to send */ readonly type?: "internal" | "external" | "emergency" | (string & {});
readonly [key: string]: unknown;
};
/** Order of the gateways */ readonly gateway_strategy?: "sequential" | "random" | (string & {});
/** Seconds before the next carrier is tried in parallel */ readonly grace_period?: number;
/** Send the caller's realm in the From header */ readonly from_account_realm?: boolean;
/** Realm of the From header; overrides from_account_realm */ readonly from_uri_realm?: string;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Numbers that never use flat-rate trunks */ readonly flat_rate_blacklist?: string;
/** Numbers that may use flat-rate trunks */ readonly flat_rate_whitelist?: string;
/** Accept calls from the gateways' addresses without a password */ readonly peer?: boolean;
/** Template that it was created from */ readonly template_name?: string;
}
/** A template of an outside line */
export interface CarrierTemplateChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Gateways of the carrier, tried in the order of gateway_strategy */ readonly gateways?: readonly ({
/** Host or address of the carrier */ readonly server: string;
/** Port */ readonly port?: number;
/** Name to sign in with */ readonly username?: string;
/** Password to sign in with */ readonly password?: string;
/** Realm to sign in at */ readonly realm?: string;
/** May be used */ readonly enabled?: boolean;
/** Kind of line */ readonly endpoint_type?: "sip" | "freetdm" | "skype" | "amqp" | (string & {});
/** Format of the numbers sent to the carrier */ readonly invite_format?: "route" | "username" | "e164" | "npan" | "1npan" | "strip_plus" | (string & {});
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Codecs, best first */ readonly codecs?: readonly ("G729" | "PCMU" | "PCMA" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "GSM" | "OPUS" | "H261" | "H263" | "H264" | "VP8" | (string & {}))[];
/** Caller id to send */ readonly caller_id_type?: "internal" | "external" | "emergency" | (string & {});
/** Audio bypasses the service */ readonly bypass_media?: boolean;
/** Accept calls from this port only */ readonly force_port?: boolean;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Realm of the From header */ readonly from_uri_realm?: string;
/** Source address of calls, if it differs from the server */ readonly inbound_ip?: string;
/** Seconds to wait for ringing */ readonly progress_timeout?: number;
/** Register with the carrier */ readonly register?: boolean;
/** Fixed SIP address for every call */ readonly route?: string;
/** SIP headers to send, by name */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
/** Outbound interface of the switch */ readonly custom_sip_interface?: string;
/** Parameters of the request URI */ readonly invite_parameters?: {
/** Names of properties of the call */ readonly dynamic?: readonly (unknown)[];
/** Static texts */ readonly static?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Order in which channels of a line are used */ readonly channel_selection?: "ascending" | "descending" | (string & {});
/** Rotate among Skype accounts */ readonly skype_rr?: boolean;
/** Media settings */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Use one port for RTP and RTCP */ readonly rtcp_mux?: boolean;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
})[] | null;
/** May be used */ readonly enabled?: boolean | null;
/** Weight: lower values are tried first */ readonly weight_cost?: number | null;
/** Carries emergency calls */ readonly emergency?: boolean | null;
/** Regular expressions for dialed numbers; the first captured group is sent */ readonly rules?: readonly (string)[] | null;
/** Regular expressions for numbers of test calls */ readonly rules_test?: readonly (string)[] | null;
/** Regular expressions for the caller's number */ readonly cid_rules?: readonly (string)[] | null;
/** Settings by number class, such as did_us; used instead of rules */ readonly classifiers?: { readonly [key: string]: {
/** May be used */ readonly enabled?: boolean | null;
/** Carries emergency calls */ readonly emergency?: boolean | null;
/** Digits added before the number */ readonly prefix?: string | null;
/** Digits added after the number */ readonly suffix?: string | null;
/** Regular expression that replaces the one of the class */ readonly regex?: string | null;
/** Weight: lower values are tried first */ readonly weight_cost?: number | null;
} | null } | null;
/** Flags that the carrier accepts (it skips calls with other flags) */ readonly flags?: readonly (string)[] | null;
/** Accept calls with any flags */ readonly ignore_flags?: boolean | null;
/** Skip calls without flags */ readonly require_flags?: boolean | null;
/** Caller ids */ readonly caller_id_options?: {
/** Caller id to send */ readonly type?: string | null;
readonly [key: string]: unknown;
} | null;
/** Order of the gateways */ readonly gateway_strategy?: string | null;
/** Seconds before the next carrier is tried in parallel */ readonly grace_period?: number | null;
/** Send the caller's realm in the From header */ readonly from_account_realm?: boolean | null;
/** Realm of the From header; overrides from_account_realm */ readonly from_uri_realm?: string | null;
/** Rewrite the From header */ readonly format_from_uri?: boolean | null;
/** Numbers that never use flat-rate trunks */ readonly flat_rate_blacklist?: string | null;
/** Numbers that may use flat-rate trunks */ readonly flat_rate_whitelist?: string | null;
/** Accept calls from the gateways' addresses without a password */ readonly peer?: boolean | null;
/** Template that it was created from */ readonly template_name?: string | null;
}
/** A template of an outside line */
export interface CarrierTemplateInput {
/** Name */ readonly name: string;
/** Gateways of the carrier, tried in the order of gateway_strategy */ readonly gateways: readonly ({
/** Host or address of the carrier */ readonly server: string;
/** Port (default: 5060) */ readonly port?: number;
/** Name to sign in with */ readonly username?: string;
/** Password to sign in with */ readonly password?: string;
/** Realm to sign in at */ readonly realm?: string;
/** May be used (default: true) */ readonly enabled?: boolean;
/** Kind of line (default: "sip") */ readonly endpoint_type?: "sip" | "freetdm" | "skype" | "amqp" | (string & {});
/** Format of the numbers sent to the carrier (default: "route") */ readonly invite_format?: "route" | "username" | "e164" | "npan" | "1npan" | "strip_plus" | (string & {});
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Codecs, best first */ readonly codecs?: readonly ("G729" | "PCMU" | "PCMA" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "GSM" | "OPUS" | "H261" | "H263" | "H264" | "VP8" | (string & {}))[];
/** Caller id to send */ readonly caller_id_type?: "internal" | "external" | "emergency" | (string & {});
/** Audio bypasses the service */ readonly bypass_media?: boolean;
/** Accept calls from this port only (default: false) */ readonly force_port?: boolean;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Realm of the From header */ readonly from_uri_realm?: string;
/** Source address of calls, if it differs from the server */ readonly inbound_ip?: string;
/** Seconds to wait for ringing */ readonly progress_timeout?: number;
/** Register with the carrier */ readonly register?: boolean;
/** Fixed SIP address for every call */ readonly route?: string;
/** SIP headers to send, by name */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
/** Outbound interface of the switch */ readonly custom_sip_interface?: string;
/** Parameters of the request URI */ readonly invite_parameters?: {
/** Names of properties of the call */ readonly dynamic?: readonly (unknown)[];
/** Static texts */ readonly static?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Order in which channels of a line are used (default: "ascending") */ readonly channel_selection?: "ascending" | "descending" | (string & {});
/** Rotate among Skype accounts (default: true) */ readonly skype_rr?: boolean;
/** Media settings */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Use one port for RTP and RTCP */ readonly rtcp_mux?: boolean;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
})[];
/** May be used (default: true) */ readonly enabled?: boolean;
/** Weight: lower values are tried first (default: 50) */ readonly weight_cost?: number;
/** Carries emergency calls (default: false) */ readonly emergency?: boolean;
/** Regular expressions for dialed numbers; the first captured group is sent (default: []) */ readonly rules?: readonly (string)[];
/** Regular expressions for numbers of test calls (default: []) */ readonly rules_test?: readonly (string)[];
/** Regular expressions for the caller's number */ readonly cid_rules?: readonly (string)[];
/** Settings by number class, such as did_us; used instead of rules */ readonly classifiers?: { readonly [key: string]: {
/** May be used (default: true) */ readonly enabled?: boolean;
/** Carries emergency calls (default: false) */ readonly emergency?: boolean;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Regular expression that replaces the one of the class */ readonly regex?: string;
/** Weight: lower values are tried first (default: 50) */ readonly weight_cost?: number;
} };
/** Flags that the carrier accepts (it skips calls with other flags) (default: []) */ readonly flags?: readonly (string)[];
/** Accept calls with any flags */ readonly ignore_flags?: boolean;
/** Skip calls without flags */ readonly require_flags?: boolean;
/** Caller ids */ readonly caller_id_options?: {
/** Caller id to send */ readonly type?: "internal" | "external" | "emergency" | (string & {});
readonly [key: string]: unknown;
};
/** Order of the gateways */ readonly gateway_strategy?: "sequential" | "random" | (string & {});
/** Seconds before the next carrier is tried in parallel (default: 5) */ readonly grace_period?: number;
/** Send the caller's realm in the From header (default: false) */ readonly from_account_realm?: boolean;
/** Realm of the From header; overrides from_account_realm */ readonly from_uri_realm?: string;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Numbers that never use flat-rate trunks */ readonly flat_rate_blacklist?: string;
/** Numbers that may use flat-rate trunks */ readonly flat_rate_whitelist?: string;
/** Accept calls from the gateways' addresses without a password */ readonly peer?: boolean;
/** Template that it was created from */ readonly template_name?: string;
}
/** A call detail record */
export interface CdrRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Id of the leg */ readonly call_id?: string;
/** Direction in lists, seen from the service: inbound or outbound */ readonly direction?: string;
/** Direction in the record, seen from the service: inbound or outbound */ readonly call_direction?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the callee */ readonly callee_id_number?: string;
/** Name of the callee */ readonly callee_id_name?: string;
/** Dialed number */ readonly dialed_number?: string;
/** Calling number or user */ readonly calling_from?: string;
/** Seconds from start to end */ readonly duration_seconds?: number;
/** Seconds of ringing */ readonly ringing_seconds?: number;
/** Seconds from answer to end; 0 for unanswered calls */ readonly billing_seconds?: number;
/** Start of the leg in lists, its end in the record; Gregorian seconds */ readonly timestamp?: number | string;
/** Start of the leg, as a date and time */ readonly datetime?: string;
/** Start of the leg, in Unix seconds */ readonly unix_timestamp?: number | string;
/** Start of the leg, in Unix microseconds */ readonly unix_timestamp_micro?: number | string;
/** Start of the leg, in Unix microseconds */ readonly channel_created_time?: number;
/** Start of the leg */ readonly rfc_1036?: string;
/** Date on which the leg started */ readonly iso_8601?: string;
/** Start of the leg */ readonly iso_8601_combined?: string;
/** Hangup cause */ readonly hangup_cause?: string;
/** SIP code at the end of the leg */ readonly hangup_code?: string;
/** Side that ended the leg */ readonly disposition?: string;
/** Call id of the connected leg */ readonly other_leg_call_id?: string;
/** Name of the caller on the other leg */ readonly other_leg_caller_id_name?: string;
/** Number of the caller on the other leg */ readonly other_leg_caller_id_number?: string;
/** Destination number of the other leg */ readonly other_leg_destination_number?: string;
/** Direction of the other leg */ readonly other_leg_direction?: string;
/** Id that all legs of a call and its transfers share */ readonly interaction_id?: string;
/** Start of the call, in Gregorian seconds */ readonly interaction_time?: number;
/** Second part of the id of the call */ readonly interaction_key?: string;
/** User who owns the phone */ readonly owner_id?: string;
/** Device or carrier that authorized the leg */ readonly authorizing_id?: string;
/** Address of the caller */ readonly from?: string;
/** Address of the caller, with its scheme */ readonly from_uri?: string;
/** SIP tag */ readonly from_tag?: string;
/** Address of the callee */ readonly to?: string;
/** Address of the callee, with its scheme */ readonly to_uri?: string;
/** SIP tag */ readonly to_tag?: string;
/** Requested address */ readonly request?: string;
/** Price, in units of 1/10000 */ readonly cost?: number | string;
/** Billing type of the leg */ readonly call_type?: string;
/** Price per minute */ readonly rate?: string;
/** Name of the rate */ readonly rate_name?: string;
/** First leg of the call */ readonly bridge_id?: string;
/** Priority */ readonly call_priority?: string;
/** Address that received the recording */ readonly recording_url?: string;
/** Recordings of the leg */ readonly media_recordings?: readonly (string)[];
/** Media server of the leg */ readonly media_server?: string;
/** Presence id */ readonly presence_id?: string;
/** Phone */ readonly user_agent?: string;
/** Keys pressed during the leg */ readonly digits_dialed?: string;
/** Channel variables of the service */ readonly custom_channel_vars?: { readonly [key: string]: unknown };
/** Variables that callflows set */ readonly custom_application_vars?: { readonly [key: string]: unknown };
/** Headers seen */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
}
/** A live leg of a call */
export interface ChannelRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Id of the leg, in lists */ readonly uuid?: string;
/** Id of the leg, in a single record */ readonly call_id?: string;
/** Direction seen from the service, in lists: inbound or outbound */ readonly direction?: string;
/** Direction seen from the service, in a single record: inbound or outbound */ readonly call_direction?: string;
/** The call was answered */ readonly answered?: boolean;
/** Start, in Gregorian seconds */ readonly timestamp?: number;
/** Seconds since the start, in lists */ readonly elapsed_s?: number;
/** Seconds since the start, in a single record */ readonly elapsed_seconds?: number;
/** Called number or user */ readonly destination?: string;
/** Call id of the connected leg, in lists */ readonly other_leg?: string;
/** Call id of the connected leg, in a single record */ readonly other_leg_call_id?: string;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Name of the callee */ readonly callee_id_name?: string;
/** Number of the callee */ readonly callee_id_number?: string;
/** Device or carrier that authorized the leg */ readonly authorizing_id?: string;
/** Type of authorizing_id: device, resource, user */ readonly authorizing_type?: string;
/** User who owns the phone */ readonly owner_id?: string;
/** User name with which the phone registers */ readonly username?: string;
/** Presence id */ readonly presence_id?: string;
/** Running callflow */ readonly callflow_id?: string;
/** Id that all legs of a call share */ readonly interaction_id?: string;
/** Address of the caller */ readonly from?: string;
/** Address of the callee */ readonly to?: string;
/** On hold, in lists */ readonly is_onhold?: boolean;
/** On hold, in a single record */ readonly is_on_hold?: boolean;
/** A leg inside the service */ readonly is_loopback?: boolean;
/** Channel variables of the service */ readonly custom_channel_vars?: { readonly [key: string]: unknown };
/** Variables that callflows set */ readonly custom_application_vars?: { readonly [key: string]: unknown };
}
/** A comment */
export interface CommentRecord {
/** Position in the list of comments */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Who wrote it */ readonly author: string;
/** What it says */ readonly content: string;
/** Time, in Gregorian seconds */ readonly timestamp: number;
/** Account of the author */ readonly account_id?: string;
/** The author */ readonly user_id?: string;
/** Action is required */ readonly action_required?: boolean;
/** Only visible to the operator */ readonly is_private?: boolean;
}
/** A conference */
export interface ConferenceRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Password of the conference bridge */ readonly bridge_password?: string;
/** User of the conference bridge */ readonly bridge_username?: string;
/** Keys for members */ readonly caller_controls?: string;
/** Numbers to dial */ readonly conference_numbers?: readonly (string)[];
/** Action of each key, by the names of the controls */ readonly controls?: { readonly [key: string]: unknown };
/** Domain */ readonly domain?: string;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Server that hosts the conference */ readonly focus?: string;
/** Language of the prompts */ readonly language?: string;
/** Media played when the conference is full */ readonly max_members_media?: string;
/** Maximum number of participants */ readonly max_participants?: number;
/** Settings for members */ readonly member?: {
/** Join without hearing */ readonly join_deaf?: boolean;
/** Join muted */ readonly join_muted?: boolean;
/** Numbers to dial */ readonly numbers?: readonly (string)[];
/** PINs; callers enter one of them */ readonly pins?: readonly (string)[];
/** Announce participants who join */ readonly play_entry_prompt?: boolean;
readonly [key: string]: unknown;
};
/** Settings for moderators */ readonly moderator?: {
/** Join without hearing */ readonly join_deaf?: boolean;
/** Join muted */ readonly join_muted?: boolean;
/** Numbers to dial */ readonly numbers?: readonly (string)[];
/** PINs; callers enter one of them */ readonly pins?: readonly (string)[];
/** Announce participants who join */ readonly play_entry_prompt?: boolean;
readonly [key: string]: unknown;
};
/** Keys for moderators */ readonly moderator_controls?: string;
/** User who owns it */ readonly owner_id?: string;
/** Play a tone when a participant joins */ readonly play_entry_tone?: boolean | string;
/** Play a tone when a participant leaves */ readonly play_exit_tone?: boolean | string;
/** Announce names */ readonly play_name?: boolean;
/** Welcome callers */ readonly play_welcome?: boolean;
/** Profile of the conference bridge */ readonly profile?: {
/** Media played to a single participant */ readonly "alone-sound"?: string;
/** Announce the number of participants from this count on */ readonly "announce-count"?: number;
/** Keys for members */ readonly "caller-controls"?: string;
/** Level of comfort noise */ readonly "comfort-noise"?: number;
/** Audio level that counts as speech */ readonly "energy-level"?: number;
/** Media played when a participant joins */ readonly "enter-sound"?: string;
/** Media played when a participant leaves */ readonly "exit-sound"?: string;
/** Milliseconds per frame */ readonly interval?: number;
/** Media played when the conference is locked */ readonly "locked-sound"?: string;
/** Most members */ readonly "max-members"?: number;
/** Media played when the conference is full */ readonly "max-members-sound"?: string;
/** Keys for moderators */ readonly "moderator-controls"?: string;
/** Music on hold */ readonly "moh-sound"?: string;
/** Media played on mute */ readonly "muted-sound"?: string;
/** Sample rate in hertz */ readonly rate?: number;
/** Media played on unmute */ readonly "unmuted-sound"?: string;
};
/** Name of a profile of the service */ readonly profile_name?: string;
/** Require a moderator */ readonly require_moderator?: boolean;
/** Hold members until a moderator joins */ readonly wait_for_moderator?: boolean;
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
/** Action of each key, by the names of the controls */ readonly controls?: { readonly [key: string]: unknown } | null;
/** Domain */ readonly domain?: string | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** Server that hosts the conference */ readonly focus?: string | null;
/** Language of the prompts */ readonly language?: string | null;
/** Media played when the conference is full */ readonly max_members_media?: string | null;
/** Maximum number of participants */ readonly max_participants?: number | null;
/** Settings for members */ readonly member?: {
/** Join without hearing */ readonly join_deaf?: boolean | null;
/** Join muted */ readonly join_muted?: boolean | null;
/** Numbers to dial */ readonly numbers?: readonly (string)[] | null;
/** PINs; callers enter one of them */ readonly pins?: readonly (string)[] | null;
/** Announce participants who join */ readonly play_entry_prompt?: boolean | null;
readonly [key: string]: unknown;
} | null;
/** Settings for moderators */ readonly moderator?: {
/** Join without hearing */ readonly join_deaf?: boolean | null;
/** Join muted */ readonly join_muted?: boolean | null;
/** Numbers to dial */ readonly numbers?: readonly (string)[] | null;
/** PINs; callers enter one of them */ readonly pins?: readonly (string)[] | null;
/** Announce participants who join */ readonly play_entry_prompt?: boolean | null;
readonly [key: string]: unknown;
} | null;
/** Keys for moderators */ readonly moderator_controls?: string | null;
/** User who owns it */ readonly owner_id?: string | null;
/** Play a tone when a participant joins */ readonly play_entry_tone?: boolean | string | null;
/** Play a tone when a participant leaves */ readonly play_exit_tone?: boolean | string | null;
/** Announce names */ readonly play_name?: boolean | null;
/** Welcome callers */ readonly play_welcome?: boolean | null;
/** Profile of the conference bridge */ readonly profile?: {
/** Media played to a single participant */ readonly "alone-sound"?: string | null;
/** Announce the number of participants from this count on */ readonly "announce-count"?: number | null;
/** Keys for members */ readonly "caller-controls"?: string | null;
/** Level of comfort noise */ readonly "comfort-noise"?: number | null;
/** Audio level that counts as speech */ readonly "energy-level"?: number | null;
/** Media played when a participant joins */ readonly "enter-sound"?: string | null;
/** Media played when a participant leaves */ readonly "exit-sound"?: string | null;
/** Milliseconds per frame */ readonly interval?: number | null;
/** Media played when the conference is locked */ readonly "locked-sound"?: string | null;
/** Most members */ readonly "max-members"?: number | null;
/** Media played when the conference is full */ readonly "max-members-sound"?: string | null;
/** Keys for moderators */ readonly "moderator-controls"?: string | null;
/** Music on hold */ readonly "moh-sound"?: string | null;
/** Media played on mute */ readonly "muted-sound"?: string | null;
/** Sample rate in hertz */ readonly rate?: number | null;
/** Media played on unmute */ readonly "unmuted-sound"?: string | null;
} | null;
/** Name of a profile of the service */ readonly profile_name?: string | null;
/** Require a moderator */ readonly require_moderator?: boolean | null;
/** Hold members until a moderator joins */ readonly wait_for_moderator?: boolean | null;
/** Flags of user interfaces */ readonly ui_flags?: { readonly [key: string]: unknown } | null;
}
/** A conference */
export interface ConferenceInput {
/** Name */ readonly name: string;
/** Password of the conference bridge */ readonly bridge_password?: string;
/** User of the conference bridge */ readonly bridge_username?: string;
/** Keys for members */ readonly caller_controls?: string;
/** Numbers to dial */ readonly conference_numbers?: readonly (string)[];
/** Action of each key, by the names of the controls */ readonly controls?: { readonly [key: string]: unknown };
/** Domain */ readonly domain?: string;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Server that hosts the conference */ readonly focus?: string;
/** Language of the prompts */ readonly language?: string;
/** Media played when the conference is full */ readonly max_members_media?: string;
/** Maximum number of participants */ readonly max_participants?: number;
/** Settings for members */ readonly member?: {
/** Join without hearing (default: false) */ readonly join_deaf?: boolean;
/** Join muted (default: true) */ readonly join_muted?: boolean;
/** Numbers to dial */ readonly numbers?: readonly (string)[];
/** PINs; callers enter one of them */ readonly pins?: readonly (string)[];
/** Announce participants who join */ readonly play_entry_prompt?: boolean;
readonly [key: string]: unknown;
};
/** Settings for moderators */ readonly moderator?: {
/** Join without hearing (default: false) */ readonly join_deaf?: boolean;
/** Join muted (default: false) */ readonly join_muted?: boolean;
/** Numbers to dial */ readonly numbers?: readonly (string)[];
/** PINs; callers enter one of them */ readonly pins?: readonly (string)[];
/** Announce participants who join */ readonly play_entry_prompt?: boolean;
readonly [key: string]: unknown;
};
/** Keys for moderators */ readonly moderator_controls?: string;
/** User who owns it */ readonly owner_id?: string;
/** Play a tone when a participant joins */ readonly play_entry_tone?: boolean | string;
/** Play a tone when a participant leaves */ readonly play_exit_tone?: boolean | string;
/** Announce names (default: false) */ readonly play_name?: boolean;
/** Welcome callers */ readonly play_welcome?: boolean;
/** Profile of the conference bridge */ readonly profile?: {
/** Media played to a single participant */ readonly "alone-sound"?: string;
/** Announce the number of participants from this count on */ readonly "announce-count"?: number;
/** Keys for members */ readonly "caller-controls"?: string;
/** Level of comfort noise */ readonly "comfort-noise"?: number;
/** Audio level that counts as speech */ readonly "energy-level"?: number;
/** Media played when a participant joins */ readonly "enter-sound"?: string;
/** Media played when a participant leaves */ readonly "exit-sound"?: string;
/** Milliseconds per frame */ readonly interval?: number;
/** Media played when the conference is locked */ readonly "locked-sound"?: string;
/** Most members */ readonly "max-members"?: number;
/** Media played when the conference is full */ readonly "max-members-sound"?: string;
/** Keys for moderators */ readonly "moderator-controls"?: string;
/** Music on hold */ readonly "moh-sound"?: string;
/** Media played on mute */ readonly "muted-sound"?: string;
/** Sample rate in hertz */ readonly rate?: number;
/** Media played on unmute */ readonly "unmuted-sound"?: string;
};
/** Name of a profile of the service */ readonly profile_name?: string;
/** Require a moderator */ readonly require_moderator?: boolean;
/** Hold members until a moderator joins */ readonly wait_for_moderator?: boolean;
/** Flags of user interfaces */ readonly ui_flags?: { readonly [key: string]: unknown };
}
/** A contact */
export interface ContactRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name?: string;
/** Number to dial from outside */ readonly external_number?: string;
/** Extension */ readonly internal_number?: string;
}
/** A device */
export interface DeviceRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Type of the device, fixed after creation */ readonly device_type?: string;
/** User who owns it */ readonly owner_id?: string;
/** Hardware address, stored as twelve hexadecimal digits */ readonly mac_address?: string;
/** Allow the device to register, call and be called */ readonly enabled?: boolean;
/** Registration and addresses */ readonly sip?: {
/** SIP headers by name, for calls from and to the device */ readonly custom_sip_headers?: {
/** Headers added to calls from the device */ readonly in?: { readonly [key: string]: string };
/** Headers added to calls to the device */ readonly out?: { readonly [key: string]: string };
readonly [key: string]: unknown;
};
/** Interface of the switch to send through */ readonly custom_sip_interface?: string;
/** Seconds between registrations */ readonly expire_seconds?: number;
/** Address of a proxy to send through */ readonly forward?: string;
/** Do not count calls answered elsewhere as missed */ readonly ignore_completed_elsewhere?: boolean;
/** Format of the called address */ readonly invite_format?: "username" | "npan" | "1npan" | "e164" | "route" | "strip_plus" | "contact" | (string & {});
/** Source address of the device (with method ip) */ readonly ip?: string;
/** Authentication method */ readonly method?: "password" | "ip" | (string & {});
/** Number to show if invite_format is a number format */ readonly number?: string;
/** Password to register with */ readonly password?: string;
/** Proxy for calls to the device */ readonly proxy?: string;
/** Realm, if it differs from the account's */ readonly realm?: string;
/** Address to call (device type sip_uri) */ readonly route?: string;
/** Number shown for all calls to the device */ readonly static_invite?: string;
/** Number dialed for all calls from the device */ readonly static_route?: string;
/** Transport: udp, tcp or tls */ readonly transport?: string;
/** User name to register with, unique in its realm */ readonly username?: string;
readonly [key: string]: unknown;
};
/** Call forwarding */ readonly call_forward?: {
/** Only forward direct calls, not those to a group */ readonly direct_calls_only?: boolean;
/** Forward calls */ readonly enabled?: boolean;
/** Only forward if no phone is reachable */ readonly failover?: boolean;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean;
/** Show the caller's number */ readonly keep_caller_id?: boolean;
/** Number to forward to */ readonly number?: string;
/** Ask the callee to press a key before connecting */ readonly require_keypress?: boolean;
/** Ring the number instead of the phones */ readonly substitute?: boolean;
};
/** Recording settings, by direction of the call */ readonly call_recording?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
};
/** Restrictions by class of the dialed number: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: {
/** deny refuses calls of the class, inherit uses the setting of the owner and the account */ readonly action?: "inherit" | "deny" | (string & {});
} };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** Caller id details to hide on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
};
/** Place in the contact list */ readonly contact_list?: {
/** Leave the device out */ readonly exclude?: boolean;
readonly [key: string]: unknown;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: { readonly [key: string]: readonly (string)[] | {
/** Purpose of the rule */ readonly description?: string;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
} };
/** Do not disturb: refuse every call as busy */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Do not ring for calls of a queue */ readonly exclude_from_queues?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: unknown };
/** Hot desking */ readonly hotdesk?: {
/** Users signed in on it */ readonly users?: { readonly [key: string]: { readonly [key: string]: unknown } };
readonly [key: string]: unknown;
};
/** Language of the prompts, such as en-US */ readonly language?: string;
/** Media settings */ readonly media?: {
/** Audio settings */ readonly audio?: {
/** Codecs, best first */ readonly codecs?: readonly ("OPUS" | "CELT@32000h" | "G7221@32000h" | "G7221@16000h" | "G722" | "speex@32000h" | "speex@16000h" | "PCMU" | "PCMA" | "G729" | "GSM" | "CELT@48000h" | "CELT@64000h" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "speex" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Let media flow directly between endpoints */ readonly bypass_media?: boolean | string;
/** Encryption settings */ readonly encryption?: {
/** Refuse calls that are not encrypted */ readonly enforce_security?: boolean;
/** Encryption methods */ readonly methods?: readonly ("zrtp" | "srtp" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Support T.38 for faxes */ readonly fax_option?: boolean;
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
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Mobile line */ readonly mobile?: {
/** Mobile number (device type mobile) */ readonly mdn?: string;
readonly [key: string]: unknown;
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Send message-waiting updates without a subscription */ readonly mwi_unsolicited_updates?: boolean;
readonly outbound_flags?: readonly (string)[] | {
/** Call properties whose values are flags */ readonly dynamic?: readonly (string)[];
/** Words */ readonly static?: readonly (string)[];
};
/** Presence id (default: the SIP user name) */ readonly presence_id?: string;
/** Settings for provisioning the phone */ readonly provision?: {
/** Programmable keys, by position */ readonly combo_keys?: { readonly [key: string]: unknown };
/** Maker, such as yealink */ readonly endpoint_brand?: string;
/** Series, such as t4x */ readonly endpoint_family?: string;
/** Model, such as t46s */ readonly endpoint_model?: string | readonly (unknown)[];
/** Feature keys, by position */ readonly feature_keys?: { readonly [key: string]: unknown };
/** Template of the provisioner */ readonly id?: string;
readonly [key: string]: unknown;
};
/** Notify when another phone takes over the registration */ readonly register_overwrite_notify?: boolean;
/** Ring tones */ readonly ringtones?: {
/** For calls inside the account */ readonly internal?: string;
/** For calls from outside */ readonly external?: string;
readonly [key: string]: unknown;
};
/** Do not notify when the registration expires */ readonly suppress_unregister_notifications?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** SIP user name, in lists */ readonly username?: string;
/** The user is signed in on it by hotdesking (only in lists of a user) */ readonly hotdesked?: boolean;
}
/** Networks that phones may register from */
export interface DeviceAccessListRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Order of evaluation: the last matching rule applies */ readonly order: "allow,deny" | "deny,allow" | (string & {});
/** Networks, such as 203.0.113.0/24 */ readonly cidrs: readonly (string)[];
/** Regular expression for the name of the phone */ readonly user_agent?: string;
}
/** Networks that phones may register from */
export interface DeviceAccessListInput {
/** Order of evaluation: the last matching rule applies */ readonly order: "allow,deny" | "deny,allow" | (string & {});
/** Networks, such as 203.0.113.0/24 */ readonly cidrs: readonly (string)[];
/** Regular expression for the name of the phone */ readonly user_agent?: string;
}
/** A device */
export interface DeviceChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Type of the device, fixed after creation */ readonly device_type?: string | null;
/** User who owns it */ readonly owner_id?: string | null;
/** Hardware address, stored as twelve hexadecimal digits */ readonly mac_address?: string | null;
/** Allow the device to register, call and be called */ readonly enabled?: boolean | null;
/** Registration and addresses */ readonly sip?: {
/** SIP headers by name, for calls from and to the device */ readonly custom_sip_headers?: {
/** Headers added to calls from the device */ readonly in?: { readonly [key: string]: string | null } | null;
/** Headers added to calls to the device */ readonly out?: { readonly [key: string]: string | null } | null;
readonly [key: string]: unknown;
} | null;
/** Interface of the switch to send through */ readonly custom_sip_interface?: string | null;
/** Seconds between registrations */ readonly expire_seconds?: number | null;
/** Address of a proxy to send through */ readonly forward?: string | null;
/** Do not count calls answered elsewhere as missed */ readonly ignore_completed_elsewhere?: boolean | null;
/** Format of the called address */ readonly invite_format?: string | null;
/** Source address of the device (with method ip) */ readonly ip?: string | null;
/** Authentication method */ readonly method?: string | null;
/** Number to show if invite_format is a number format */ readonly number?: string | null;
/** Password to register with */ readonly password?: string | null;
/** Proxy for calls to the device */ readonly proxy?: string | null;
/** Realm, if it differs from the account's */ readonly realm?: string | null;
/** Address to call (device type sip_uri) */ readonly route?: string | null;
/** Number shown for all calls to the device */ readonly static_invite?: string | null;
/** Number dialed for all calls from the device */ readonly static_route?: string | null;
/** Transport: udp, tcp or tls */ readonly transport?: string | null;
/** User name to register with, unique in its realm */ readonly username?: string | null;
readonly [key: string]: unknown;
} | null;
/** Call forwarding */ readonly call_forward?: {
/** Only forward direct calls, not those to a group */ readonly direct_calls_only?: boolean | null;
/** Forward calls */ readonly enabled?: boolean | null;
/** Only forward if no phone is reachable */ readonly failover?: boolean | null;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean | null;
/** Show the caller's number */ readonly keep_caller_id?: boolean | null;
/** Number to forward to */ readonly number?: string | null;
/** Ask the callee to press a key before connecting */ readonly require_keypress?: boolean | null;
/** Ring the number instead of the phones */ readonly substitute?: boolean | null;
} | null;
/** Recording settings, by direction of the call */ readonly call_recording?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
} | null;
/** Restrictions by class of the dialed number: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: {
/** deny refuses calls of the class, inherit uses the setting of the owner and the account */ readonly action?: string | null;
} | null } | null;
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
/** Realm of the asserted identity */ readonly realm?: string | null;
} | null;
/** Shown on emergency calls */ readonly emergency?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
} | null;
/** Shown outside the account */ readonly external?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
} | null;
/** Shown inside the account */ readonly internal?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
} | null;
} | null;
/** Caller id options */ readonly caller_id_options?: {
/** Caller id details to hide on outbound calls */ readonly outbound_privacy?: string | null;
} | null;
/** Place in the contact list */ readonly contact_list?: {
/** Leave the device out */ readonly exclude?: boolean | null;
readonly [key: string]: unknown;
} | null;
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: { readonly [key: string]: readonly (string)[] | null | {
/** Purpose of the rule */ readonly description?: string | null;
/** Digits added before the number */ readonly prefix?: string | null;
/** Digits added after the number */ readonly suffix?: string | null;
} | null } | null;
/** Do not disturb: refuse every call as busy */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Do not ring for calls of a queue */ readonly exclude_from_queues?: boolean | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** Formatters by field */ readonly formatters?: { readonly [key: string]: unknown } | null;
/** Hot desking */ readonly hotdesk?: {
/** Users signed in on it */ readonly users?: { readonly [key: string]: { readonly [key: string]: unknown } | null } | null;
readonly [key: string]: unknown;
} | null;
/** Language of the prompts, such as en-US */ readonly language?: string | null;
/** Media settings */ readonly media?: {
/** Audio settings */ readonly audio?: {
/** Codecs, best first */ readonly codecs?: readonly ("OPUS" | "CELT@32000h" | "G7221@32000h" | "G7221@16000h" | "G722" | "speex@32000h" | "speex@16000h" | "PCMU" | "PCMA" | "G729" | "GSM" | "CELT@48000h" | "CELT@64000h" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "speex" | (string & {}))[] | null;
readonly [key: string]: unknown;
} | null;
/** Let media flow directly between endpoints */ readonly bypass_media?: boolean | string | null;
/** Encryption settings */ readonly encryption?: {
/** Refuse calls that are not encrypted */ readonly enforce_security?: boolean | null;
/** Encryption methods */ readonly methods?: readonly ("zrtp" | "srtp" | (string & {}))[] | null;
readonly [key: string]: unknown;
} | null;
/** Support T.38 for faxes */ readonly fax_option?: boolean | null;
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
/** Leg that can dial */ readonly listen_on?: string | null;
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown } | null;
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown } | null;
} | null;
/** Mobile line */ readonly mobile?: {
/** Mobile number (device type mobile) */ readonly mdn?: string | null;
readonly [key: string]: unknown;
} | null;
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string | null;
readonly [key: string]: unknown;
} | null;
/** Send message-waiting updates without a subscription */ readonly mwi_unsolicited_updates?: boolean | null;
readonly outbound_flags?: readonly (string)[] | null | {
/** Call properties whose values are flags */ readonly dynamic?: readonly (string)[] | null;
/** Words */ readonly static?: readonly (string)[] | null;
} | null;
/** Presence id (default: the SIP user name) */ readonly presence_id?: string | null;
/** Settings for provisioning the phone */ readonly provision?: {
/** Programmable keys, by position */ readonly combo_keys?: { readonly [key: string]: unknown } | null;
/** Maker, such as yealink */ readonly endpoint_brand?: string | null;
/** Series, such as t4x */ readonly endpoint_family?: string | null;
/** Model, such as t46s */ readonly endpoint_model?: string | readonly (unknown)[] | null;
/** Feature keys, by position */ readonly feature_keys?: { readonly [key: string]: unknown } | null;
/** Template of the provisioner */ readonly id?: string | null;
readonly [key: string]: unknown;
} | null;
/** Notify when another phone takes over the registration */ readonly register_overwrite_notify?: boolean | null;
/** Ring tones */ readonly ringtones?: {
/** For calls inside the account */ readonly internal?: string | null;
/** For calls from outside */ readonly external?: string | null;
readonly [key: string]: unknown;
} | null;
/** Do not notify when the registration expires */ readonly suppress_unregister_notifications?: boolean | null;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string | null;
/** SIP user name, in lists */ readonly username?: string | null;
/** The user is signed in on it by hotdesking (only in lists of a user) */ readonly hotdesked?: boolean | null;
}
/** A device */
export interface DeviceInput {
/** Name */ readonly name: string;
/** Type of the device, fixed after creation */ readonly device_type?: string;
/** User who owns it */ readonly owner_id?: string;
/** Hardware address, stored as twelve hexadecimal digits */ readonly mac_address?: string;
/** Allow the device to register, call and be called (default: true) */ readonly enabled?: boolean;
/** Registration and addresses */ readonly sip?: {
/** SIP headers by name, for calls from and to the device */ readonly custom_sip_headers?: {
/** Headers added to calls from the device */ readonly in?: { readonly [key: string]: string };
/** Headers added to calls to the device */ readonly out?: { readonly [key: string]: string };
readonly [key: string]: unknown;
};
/** Interface of the switch to send through */ readonly custom_sip_interface?: string;
/** Seconds between registrations (default: 300) */ readonly expire_seconds?: number;
/** Address of a proxy to send through */ readonly forward?: string;
/** Do not count calls answered elsewhere as missed */ readonly ignore_completed_elsewhere?: boolean;
/** Format of the called address (default: "contact") */ readonly invite_format?: "username" | "npan" | "1npan" | "e164" | "route" | "strip_plus" | "contact" | (string & {});
/** Source address of the device (with method ip) */ readonly ip?: string;
/** Authentication method (default: "password") */ readonly method?: "password" | "ip" | (string & {});
/** Number to show if invite_format is a number format */ readonly number?: string;
/** Password to register with */ readonly password?: string;
/** Proxy for calls to the device */ readonly proxy?: string;
/** Realm, if it differs from the account's */ readonly realm?: string;
/** Address to call (device type sip_uri) */ readonly route?: string;
/** Number shown for all calls to the device */ readonly static_invite?: string;
/** Number dialed for all calls from the device */ readonly static_route?: string;
/** Transport: udp, tcp or tls */ readonly transport?: string;
/** User name to register with, unique in its realm */ readonly username?: string;
readonly [key: string]: unknown;
};
/** Call forwarding */ readonly call_forward?: {
/** Only forward direct calls, not those to a group (default: false) */ readonly direct_calls_only?: boolean;
/** Forward calls (default: false) */ readonly enabled?: boolean;
/** Only forward if no phone is reachable (default: false) */ readonly failover?: boolean;
/** Ignore media before the answer (default: true) */ readonly ignore_early_media?: boolean;
/** Show the caller's number (default: true) */ readonly keep_caller_id?: boolean;
/** Number to forward to */ readonly number?: string;
/** Ask the callee to press a key before connecting (default: true) */ readonly require_keypress?: boolean;
/** Ring the number instead of the phones (default: true) */ readonly substitute?: boolean;
};
/** Recording settings, by direction of the call */ readonly call_recording?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
};
/** Restrictions by class of the dialed number: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: {
/** deny refuses calls of the class, inherit uses the setting of the owner and the account */ readonly action?: "inherit" | "deny" | (string & {});
} };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** Caller id details to hide on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
};
/** Place in the contact list */ readonly contact_list?: {
/** Leave the device out */ readonly exclude?: boolean;
readonly [key: string]: unknown;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: { readonly [key: string]: readonly (string)[] | {
/** Purpose of the rule */ readonly description?: string;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
} };
/** Do not disturb: refuse every call as busy */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Do not ring for calls of a queue (default: false) */ readonly exclude_from_queues?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: unknown };
/** Hot desking */ readonly hotdesk?: {
/** Users signed in on it */ readonly users?: { readonly [key: string]: { readonly [key: string]: unknown } };
readonly [key: string]: unknown;
};
/** Language of the prompts, such as en-US */ readonly language?: string;
/** Media settings */ readonly media?: {
/** Audio settings */ readonly audio?: {
/** Codecs, best first */ readonly codecs?: readonly ("OPUS" | "CELT@32000h" | "G7221@32000h" | "G7221@16000h" | "G722" | "speex@32000h" | "speex@16000h" | "PCMU" | "PCMA" | "G729" | "GSM" | "CELT@48000h" | "CELT@64000h" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "speex" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Let media flow directly between endpoints */ readonly bypass_media?: boolean | string;
/** Encryption settings (default: {}) */ readonly encryption?: {
/** Refuse calls that are not encrypted (default: false) */ readonly enforce_security?: boolean;
/** Encryption methods (default: []) */ readonly methods?: readonly ("zrtp" | "srtp" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean;
/** Seconds to wait for progress */ readonly progress_timeout?: number;
/** Video settings (default: {}) */ readonly video?: {
/** Codecs, best first (default: []) */ readonly codecs?: readonly ("H261" | "H263" | "H264" | "VP8" | (string & {}))[];
readonly [key: string]: unknown;
};
};
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow (default: "*") */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Mobile line */ readonly mobile?: {
/** Mobile number (device type mobile) */ readonly mdn?: string;
readonly [key: string]: unknown;
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Send message-waiting updates without a subscription (default: true) */ readonly mwi_unsolicited_updates?: boolean;
readonly outbound_flags?: readonly (string)[] | {
/** Call properties whose values are flags */ readonly dynamic?: readonly (string)[];
/** Words */ readonly static?: readonly (string)[];
};
/** Presence id (default: the SIP user name) */ readonly presence_id?: string;
/** Settings for provisioning the phone */ readonly provision?: {
/** Programmable keys, by position */ readonly combo_keys?: { readonly [key: string]: unknown };
/** Maker, such as yealink */ readonly endpoint_brand?: string;
/** Series, such as t4x */ readonly endpoint_family?: string;
/** Model, such as t46s */ readonly endpoint_model?: string | readonly (unknown)[];
/** Feature keys, by position */ readonly feature_keys?: { readonly [key: string]: unknown };
/** Template of the provisioner */ readonly id?: string;
readonly [key: string]: unknown;
};
/** Notify when another phone takes over the registration (default: false) */ readonly register_overwrite_notify?: boolean;
/** Ring tones */ readonly ringtones?: {
/** For calls inside the account */ readonly internal?: string;
/** For calls from outside */ readonly external?: string;
readonly [key: string]: unknown;
};
/** Do not notify when the registration expires (default: false) */ readonly suppress_unregister_notifications?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
}
/** SIP request limits of a device */
export interface DeviceRateLimitRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** In a minute */ readonly per_minute: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
/** In a second */ readonly per_second: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
}
/** SIP request limits of a device */
export interface DeviceRateLimitInput {
/** In a minute */ readonly per_minute: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
/** In a second */ readonly per_second: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
}
/** A directory */
export interface DirectoryRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Ask before connecting */ readonly confirm_match?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Maximum number of keys that a caller presses (0 for unlimited) */ readonly max_dtmf?: number;
/** Minimum number of keys that a caller presses */ readonly min_dtmf?: number;
/** Names to search */ readonly search_fields?: "first_name" | "last_name" | "both" | (string & {});
/** Sort order of the matches */ readonly sort_by?: "first_name" | "last_name" | (string & {});
/** Users in the directory, each with the callflow that reaches the user */ readonly users?: readonly (unknown)[];
}
/** A directory */
export interface DirectoryChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Ask before connecting */ readonly confirm_match?: boolean | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** Maximum number of keys that a caller presses (0 for unlimited) */ readonly max_dtmf?: number | null;
/** Minimum number of keys that a caller presses */ readonly min_dtmf?: number | null;
/** Names to search */ readonly search_fields?: string | null;
/** Sort order of the matches */ readonly sort_by?: string | null;
/** Users in the directory, each with the callflow that reaches the user */ readonly users?: readonly (unknown)[] | null;
}
/** A directory */
export interface DirectoryInput {
/** Name */ readonly name: string;
/** Ask before connecting (default: true) */ readonly confirm_match?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Maximum number of keys that a caller presses (0 for unlimited) (default: 0) */ readonly max_dtmf?: number;
/** Minimum number of keys that a caller presses (default: 3) */ readonly min_dtmf?: number;
/** Names to search */ readonly search_fields?: "first_name" | "last_name" | "both" | (string & {});
/** Sort order of the matches (default: "last_name") */ readonly sort_by?: "first_name" | "last_name" | (string & {});
/** Users in the directory, each with the callflow that reaches the user */ readonly users?: readonly (unknown)[];
}
/** Information about the service */
export interface FactRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Release of the service */ readonly version?: string;
/** Release of its runtime */ readonly erlang_version?: string;
/** Number of processes */ readonly processes?: number;
/** Number of open ports */ readonly ports?: number;
/** Memory in use, in bytes */ readonly used_memory?: number;
}
/** A fax */
export interface FaxRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Sender's number */ readonly from_number?: string;
/** Name of the sender */ readonly from_name?: string;
/** Recipient's number */ readonly to_number?: string;
/** Recipient's name */ readonly to_name?: string;
/** Tries so far */ readonly attempts?: number;
/** The document to send */ readonly document?: {
/** Body of the request that fetches the document */ readonly content?: string;
/** Content type of that body */ readonly content_type?: string;
/** Host header of that request */ readonly host?: string;
/** Method of that request */ readonly method?: "get" | "post" | (string & {});
/** Referer header of that request */ readonly referer?: string;
/** URL of the document */ readonly url: string;
};
/** Recipients of the result */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: readonly (string)[] | string;
};
/** By text message */ readonly sms?: {
/** Whom to tell */ readonly send_to?: readonly (string)[] | string;
};
};
/** Most tries */ readonly retries?: number;
/** Result of the last attempt */ readonly tx_result?: {
/** What failed */ readonly error_message?: string;
/** Damaged rows */ readonly fax_bad_rows?: number;
/** Error correction was used */ readonly fax_error_correction?: boolean;
/** Identification of the receiver */ readonly fax_receiver_id?: string;
/** Bits a second */ readonly fax_speed?: number;
/** Pages sent */ readonly pages_sent?: number;
/** The fax arrived */ readonly success?: boolean;
/** Seconds it took */ readonly time_elapsed?: number;
};
/** Fax box whose settings apply */ readonly faxbox_id?: string;
/** State of the job */ readonly status?: "attaching files" | "pending" | "locked" | "processing" | "completed" | "failed" | "resubmitting" | "not available" | "received" | (string & {});
/** Folder: outbox or inbox */ readonly folder?: string;
/** Reception result */ readonly rx_result?: { readonly [key: string]: unknown };
/** Time of creation, in Gregorian seconds */ readonly created?: number;
/** Recipient's number */ readonly to?: string;
/** Sender's number */ readonly from?: string;
}
/** A fax */
export interface FaxInput {
/** Sender's number */ readonly from_number: string;
/** Name of the sender */ readonly from_name?: string;
/** Recipient's number */ readonly to_number: string;
/** Recipient's name */ readonly to_name?: string;
/** Tries so far (default: 0) */ readonly attempts?: number;
/** The document to send */ readonly document?: {
/** Body of the request that fetches the document */ readonly content?: string;
/** Content type of that body */ readonly content_type?: string;
/** Host header of that request */ readonly host?: string;
/** Method of that request (default: "get") */ readonly method?: "get" | "post" | (string & {});
/** Referer header of that request */ readonly referer?: string;
/** URL of the document */ readonly url: string;
};
/** Recipients of the result */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: readonly (string)[] | string;
};
/** By text message */ readonly sms?: {
/** Whom to tell */ readonly send_to?: readonly (string)[] | string;
};
};
/** Most tries (default: 1) */ readonly retries?: number;
/** Result of the last attempt */ readonly tx_result?: {
/** What failed (default: "") */ readonly error_message?: string;
/** Damaged rows (default: 0) */ readonly fax_bad_rows?: number;
/** Error correction was used (default: false) */ readonly fax_error_correction?: boolean;
/** Identification of the receiver (default: "") */ readonly fax_receiver_id?: string;
/** Bits a second (default: 0) */ readonly fax_speed?: number;
/** Pages sent (default: 0) */ readonly pages_sent?: number;
/** The fax arrived (default: false) */ readonly success?: boolean;
/** Seconds it took (default: 0) */ readonly time_elapsed?: number;
};
/** Fax box whose settings apply */ readonly faxbox_id?: string;
}
/** An e-mail to a fax box */
export interface FaxMailRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Sender */ readonly from?: string;
/** Recipient: the address of a fax box */ readonly to?: string;
/** The first error (lists only) */ readonly error?: string;
/** All errors */ readonly errors?: readonly (string)[];
/** Fax box of the address */ readonly faxbox_id?: string;
/** Time of arrival, in Gregorian seconds */ readonly created?: number;
}
/** A fax box */
export interface FaxboxRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** User who owns it */ readonly owner_id?: string;
/** Sender's number */ readonly caller_id?: string;
/** Sender's name */ readonly caller_name?: string;
/** Line at the top of each page */ readonly fax_header?: string;
/** Number that identifies the fax machine */ readonly fax_identity?: string;
/** Time zone of the dates on its pages */ readonly fax_timezone?: string;
/** Number of retries */ readonly retries?: number;
/** Number of attempts, reset by each update */ readonly attempts?: number;
/** Custom address for faxes by e-mail, unique across the service */ readonly custom_smtp_email_address?: string;
/** Address for faxes by e-mail, generated by the service */ readonly smtp_email_address?: string;
/** Addresses or regular expressions of senders who can fax by e-mail, in addition to the owner */ readonly smtp_permission_list?: readonly (string)[];
/** Media */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
};
/** Recipients of notifications */ readonly notifications?: {
/** Recipients for received faxes */ readonly inbound?: {
/** By e-mail */ readonly email?: {
readonly send_to?: readonly (string)[] | string;
};
/** By SMS */ readonly sms?: {
readonly send_to?: readonly (string)[] | string;
};
/** Webhook that receives the fax record */ readonly callback?: {
/** URL to call */ readonly url?: string;
/** Request method */ readonly method?: "post" | "put" | (string & {});
/** Format of the body */ readonly type?: "json" | "www-url-form-encoded" | (string & {});
};
};
/** Recipients for sent faxes */ readonly outbound?: {
/** By e-mail */ readonly email?: {
readonly send_to?: readonly (string)[] | string;
};
/** By SMS */ readonly sms?: {
readonly send_to?: readonly (string)[] | string;
};
/** Webhook that receives the fax record */ readonly callback?: {
/** URL to call */ readonly url?: string;
/** Request method */ readonly method?: "post" | "put" | (string & {});
/** Format of the body */ readonly type?: "json" | "www-url-form-encoded" | (string & {});
};
};
};
/** Free labels to filter by */ readonly flags?: readonly (string)[];
}
/** A fax box */
export interface FaxboxChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** User who owns it */ readonly owner_id?: string | null;
/** Sender's number */ readonly caller_id?: string | null;
/** Sender's name */ readonly caller_name?: string | null;
/** Line at the top of each page */ readonly fax_header?: string | null;
/** Number that identifies the fax machine */ readonly fax_identity?: string | null;
/** Time zone of the dates on its pages */ readonly fax_timezone?: string | null;
/** Number of retries */ readonly retries?: number | null;
/** Number of attempts, reset by each update */ readonly attempts?: number | null;
/** Custom address for faxes by e-mail, unique across the service */ readonly custom_smtp_email_address?: string | null;
/** Address for faxes by e-mail, generated by the service */ readonly smtp_email_address?: string | null;
/** Addresses or regular expressions of senders who can fax by e-mail, in addition to the owner */ readonly smtp_permission_list?: readonly (string)[] | null;
/** Media */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean | null;
} | null;
/** Recipients of notifications */ readonly notifications?: {
/** Recipients for received faxes */ readonly inbound?: {
/** By e-mail */ readonly email?: {
readonly send_to?: readonly (string)[] | null | string | null;
} | null;
/** By SMS */ readonly sms?: {
readonly send_to?: readonly (string)[] | null | string | null;
} | null;
/** Webhook that receives the fax record */ readonly callback?: {
/** URL to call */ readonly url?: string | null;
/** Request method */ readonly method?: string | null;
/** Format of the body */ readonly type?: string | null;
} | null;
} | null;
/** Recipients for sent faxes */ readonly outbound?: {
/** By e-mail */ readonly email?: {
readonly send_to?: readonly (string)[] | null | string | null;
} | null;
/** By SMS */ readonly sms?: {
readonly send_to?: readonly (string)[] | null | string | null;
} | null;
/** Webhook that receives the fax record */ readonly callback?: {
/** URL to call */ readonly url?: string | null;
/** Request method */ readonly method?: string | null;
/** Format of the body */ readonly type?: string | null;
} | null;
} | null;
} | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
}
/** A fax box */
export interface FaxboxInput {
/** Name */ readonly name: string;
/** User who owns it */ readonly owner_id?: string;
/** Sender's number */ readonly caller_id?: string;
/** Sender's name (default: "Kazoo Fax Printer") */ readonly caller_name?: string;
/** Line at the top of each page (default: "Kazoo Fax Printer") */ readonly fax_header?: string;
/** Number that identifies the fax machine */ readonly fax_identity?: string;
/** Time zone of the dates on its pages */ readonly fax_timezone?: string;
/** Number of retries (default: 1) */ readonly retries?: number;
/** Custom address for faxes by e-mail, unique across the service */ readonly custom_smtp_email_address?: string;
/** Addresses or regular expressions of senders who can fax by e-mail, in addition to the owner (default: []) */ readonly smtp_permission_list?: readonly (string)[];
/** Media */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
};
/** Recipients of notifications */ readonly notifications?: {
/** Recipients for received faxes */ readonly inbound?: {
/** By e-mail */ readonly email?: {
readonly send_to?: readonly (string)[] | string;
};
/** By SMS */ readonly sms?: {
readonly send_to?: readonly (string)[] | string;
};
/** Webhook that receives the fax record */ readonly callback?: {
/** URL to call */ readonly url?: string;
/** Request method */ readonly method?: "post" | "put" | (string & {});
/** Format of the body */ readonly type?: "json" | "www-url-form-encoded" | (string & {});
};
};
/** Recipients for sent faxes */ readonly outbound?: {
/** By e-mail */ readonly email?: {
readonly send_to?: readonly (string)[] | string;
};
/** By SMS */ readonly sms?: {
readonly send_to?: readonly (string)[] | string;
};
/** Webhook that receives the fax record */ readonly callback?: {
/** URL to call */ readonly url?: string;
/** Request method */ readonly method?: "post" | "put" | (string & {});
/** Format of the body */ readonly type?: "json" | "www-url-form-encoded" | (string & {});
};
};
};
/** Free labels to filter by */ readonly flags?: readonly (string)[];
}
/** A step of a flow */
export interface FlowNode {
/** Module to run: menu, user, voicemail, … */ readonly module: string;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
};
/** Next steps, by key: dialed digits, or _ for all other cases */ readonly children?: { readonly [key: string]: FlowNode };
}
/** A step of a flow */
export type FlowNodeChanges = {
/** Module to run: menu, user, voicemail, … */ readonly module?: string | null;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string | null;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown } | null;
readonly [key: string]: unknown;
} | null;
/** Next steps, by key: dialed digits, or _ for all other cases */ readonly children?: { readonly [key: string]: FlowNodeChanges } | null;
} | null;
/** A step of a flow */
export interface FlowNodeInput {
/** Module to run: menu, user, voicemail, … */ readonly module: string;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
};
/** Next steps, by key: dialed digits, or _ for all other cases */ readonly children?: { readonly [key: string]: FlowNodeInput };
}
/** A group */
export interface GroupRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Members by id */ readonly endpoints: { readonly [key: string]: {
/** Type of the record */ readonly type?: "user" | "device" | "group" | (string & {});
/** Order among the members */ readonly weight?: number;
readonly [key: string]: unknown;
} };
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Enabled features */ readonly features?: readonly (string)[];
}
/** A group */
export interface GroupChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Members by id */ readonly endpoints?: { readonly [key: string]: {
/** Type of the record */ readonly type?: string | null;
/** Order among the members */ readonly weight?: number | null;
readonly [key: string]: unknown;
} | null } | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string | null;
readonly [key: string]: unknown;
} | null;
/** Enabled features */ readonly features?: readonly (string)[] | null;
}
/** A group */
export interface GroupInput {
/** Name */ readonly name: string;
/** Members by id */ readonly endpoints: { readonly [key: string]: {
/** Type of the record */ readonly type?: "user" | "device" | "group" | (string & {});
/** Order among the members */ readonly weight?: number;
readonly [key: string]: unknown;
} };
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
}
/** A user signed in on a shared phone */
export interface HotdeskRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Phone */ readonly device_id?: string;
/** Name of the phone */ readonly device_name?: string;
/** User signed in on the phone */ readonly user_id?: string;
}
/** A signing key */
export interface KeyRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Public key as PEM text */ readonly public_key_pem?: string;
}
/** An entry of a ledger */
export interface LedgerRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Amount in the currency of the account, positive for credits and debits */ readonly amount?: number;
/** Purpose */ readonly description?: string;
/** Source */ readonly source?: {
/** Id; identifies the entry together with service and period */ readonly id: string;
/** Ledger: adjustments, payments, … */ readonly service: string;
};
/** What was used */ readonly usage?: {
/** Count */ readonly quantity: number;
/** Of what */ readonly type: string;
/** In which unit */ readonly unit: string;
};
/** Period of the entry */ readonly period?: {
/** Start, in Gregorian seconds */ readonly start?: number;
/** End, in Gregorian seconds */ readonly end?: number;
};
/** Data of the program that created it */ readonly metadata?: { readonly [key: string]: unknown };
/** The account */ readonly account?: {
/** Id */ readonly id?: string;
/** Name */ readonly name?: string;
};
/** credit or debit */ readonly type?: string;
/** Who booked it */ readonly executor?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
}
/** Call limits of an account */
export interface LimitRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
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
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Application */ readonly app?: string;
/** Provider */ readonly provider?: string;
/** E-mail address at the provider */ readonly email?: string;
/** Name at the provider */ readonly display_name?: string;
/** The provider verified the address */ readonly verified_email?: boolean;
/** Scopes, separated by spaces */ readonly scope?: string;
/** Scopes */ readonly scopes?: readonly (string)[];
/** Profile from the provider */ readonly profile?: { readonly [key: string]: unknown };
}
/** An entry of a list */
export interface ListEntryRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** List of the entry */ readonly list_id?: string;
/** First digits of the caller's number */ readonly number?: string;
/** First digits of the caller's number, like number */ readonly prefix?: string;
/** Regular expression for the whole number */ readonly pattern?: string;
/** Regular expression that takes precedence over pattern */ readonly regexp?: string;
/** Name to show for the caller */ readonly name?: string;
/** Nickname */ readonly displayname?: string;
/** First name */ readonly firstname?: string;
/** Last name */ readonly lastname?: string;
/** Middle name */ readonly middlename?: string;
/** Type, any word */ readonly type?: string;
/** Code that a caller dials to select the entry */ readonly capture_group_key?: string;
/** Length of the code, in digits */ readonly capture_group_length?: number;
/** Profile */ readonly profile?: {
/** Note */ readonly note?: string;
};
}
/** An entry of a list */
export interface ListEntryChanges {
/** Id */ readonly id?: string | null;
/** List of the entry */ readonly list_id?: string | null;
/** First digits of the caller's number */ readonly number?: string | null;
/** First digits of the caller's number, like number */ readonly prefix?: string | null;
/** Regular expression for the whole number */ readonly pattern?: string | null;
/** Regular expression that takes precedence over pattern */ readonly regexp?: string | null;
/** Name to show for the caller */ readonly name?: string | null;
/** Nickname */ readonly displayname?: string | null;
/** First name */ readonly firstname?: string | null;
/** Last name */ readonly lastname?: string | null;
/** Middle name */ readonly middlename?: string | null;
/** Type, any word */ readonly type?: string | null;
/** Code that a caller dials to select the entry */ readonly capture_group_key?: string | null;
/** Length of the code, in digits */ readonly capture_group_length?: number | null;
/** Profile */ readonly profile?: {
/** Note */ readonly note?: string | null;
} | null;
}
/** An entry of a list */
export interface ListEntryInput {
/** List of the entry */ readonly list_id?: string;
/** First digits of the caller's number */ readonly number?: string;
/** First digits of the caller's number, like number */ readonly prefix?: string;
/** Regular expression for the whole number */ readonly pattern?: string;
/** Regular expression that takes precedence over pattern */ readonly regexp?: string;
/** Name to show for the caller */ readonly name?: string;
/** Nickname */ readonly displayname?: string;
/** First name */ readonly firstname?: string;
/** Last name */ readonly lastname?: string;
/** Middle name */ readonly middlename?: string;
/** Type, any word */ readonly type?: string;
/** Code that a caller dials to select the entry */ readonly capture_group_key?: string;
/** Length of the code, in digits */ readonly capture_group_length?: number;
/** Profile (default: {}) */ readonly profile?: {
/** Note */ readonly note?: string;
};
}
/** A sent e-mail */
export interface MailRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Template */ readonly template_id?: string;
/** Sender */ readonly from?: string;
/** First receiver */ readonly to?: string;
/** Subject */ readonly subject?: string;
/** What went wrong */ readonly error?: string;
/** Time, in Gregorian seconds */ readonly created?: number;
/** Response of the mail server */ readonly receipt?: string;
/** All recipients, by type */ readonly emails?: { readonly [key: string]: readonly (string)[] };
/** Values of the macros */ readonly macros?: { readonly [key: string]: unknown };
/** The sent texts, by content type */ readonly rendered_templates?: { readonly [key: string]: string };
/** Account */ readonly account_id?: string;
}
/** A list of callers */
export interface MatchListRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Description */ readonly description?: string;
/** Company, for vCards */ readonly org?: string;
/** Type, any word */ readonly list_type?: string;
}
/** A list of callers */
export interface MatchListChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Description */ readonly description?: string | null;
/** Company, for vCards */ readonly org?: string | null;
/** Type, any word */ readonly list_type?: string | null;
}
/** A list of callers */
export interface MatchListInput {
/** Name */ readonly name: string;
/** Description */ readonly description?: string;
/** Company, for vCards */ readonly org?: string;
/** Type, any word */ readonly list_type?: string;
}
/** A medium */
export interface MediumRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Description, often the name of the file */ readonly description?: string;
/** Language, in lower case */ readonly language?: string;
/** Source */ readonly media_source?: "recording" | "upload" | "tts" | (string & {});
/** Text to speak (media_source tts) */ readonly tts?: {
/** Text to speak */ readonly text?: string;
/** Voice, such as female/en-US */ readonly voice?: string;
};
/** Prompt of the service that it replaces */ readonly prompt_id?: string;
/** May be streamed */ readonly streamable?: boolean;
/** Content type of its file, set by an upload */ readonly content_type?: "audio/mp3" | "audio/mpeg" | "audio/mpeg3" | "audio/x-wav" | "audio/wav" | "audio/ogg" | "video/x-flv" | "video/h264" | "video/mpeg" | "video/quicktime" | "video/mp4" | "video/webm" | (string & {});
/** Size of its file in bytes, set by an upload */ readonly content_length?: number;
/** Record that created it */ readonly source_id?: string;
/** Module that created it */ readonly source_type?: string;
/** Is a prompt */ readonly is_prompt?: boolean;
}
/** A medium */
export interface MediumInput {
/** Name */ readonly name: string;
/** Description, often the name of the file */ readonly description?: string;
/** Language, in lower case (default: "en-us") */ readonly language?: string;
/** Source (default: "upload") */ readonly media_source?: "recording" | "upload" | "tts" | (string & {});
/** Text to speak (media_source tts) */ readonly tts?: {
/** Text to speak */ readonly text?: string;
/** Voice, such as female/en-US (default: "female/en-US") */ readonly voice?: string;
};
/** Prompt of the service that it replaces */ readonly prompt_id?: string;
/** May be streamed (default: true) */ readonly streamable?: boolean;
/** Content type of its file, set by an upload */ readonly content_type?: "audio/mp3" | "audio/mpeg" | "audio/mpeg3" | "audio/x-wav" | "audio/wav" | "audio/ogg" | "video/x-flv" | "video/h264" | "video/mpeg" | "video/quicktime" | "video/mp4" | "video/webm" | (string & {});
/** Size of its file in bytes, set by an upload */ readonly content_length?: number;
/** Record that created it */ readonly source_id?: string;
/** Module that created it */ readonly source_type?: string;
}
/** A menu */
export interface MenuRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Allow recording the greeting from outside */ readonly allow_record_from_offnet?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Allow callers to dial extensions */ readonly hunt?: boolean;
/** Regular expression for allowed extensions */ readonly hunt_allow?: string;
/** Regular expression for refused extensions */ readonly hunt_deny?: string;
/** Wait for the next digit, in milliseconds */ readonly interdigit_timeout?: number;
/** Maximum number of digits in an extension */ readonly max_extension_length?: number;
/** Media of the menu */ readonly media?: {
/** Media id of the greeting */ readonly greeting?: string;
/** Media played when the caller leaves */ readonly exit_media?: string | boolean;
/** Media played on an invalid choice */ readonly invalid_media?: string | boolean;
/** Media played before a transfer */ readonly transfer_media?: string | boolean;
readonly [key: string]: unknown;
};
/** PIN to record the greeting */ readonly record_pin?: string;
/** Number of attempts for a caller */ readonly retries?: number;
/** Play nothing */ readonly suppress_media?: boolean;
/** Wait for the first digit, in milliseconds */ readonly timeout?: number;
}
/** A menu */
export interface MenuChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Allow recording the greeting from outside */ readonly allow_record_from_offnet?: boolean | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** Allow callers to dial extensions */ readonly hunt?: boolean | null;
/** Regular expression for allowed extensions */ readonly hunt_allow?: string | null;
/** Regular expression for refused extensions */ readonly hunt_deny?: string | null;
/** Wait for the next digit, in milliseconds */ readonly interdigit_timeout?: number | null;
/** Maximum number of digits in an extension */ readonly max_extension_length?: number | null;
/** Media of the menu */ readonly media?: {
/** Media id of the greeting */ readonly greeting?: string | null;
/** Media played when the caller leaves */ readonly exit_media?: string | boolean | null;
/** Media played on an invalid choice */ readonly invalid_media?: string | boolean | null;
/** Media played before a transfer */ readonly transfer_media?: string | boolean | null;
readonly [key: string]: unknown;
} | null;
/** PIN to record the greeting */ readonly record_pin?: string | null;
/** Number of attempts for a caller */ readonly retries?: number | null;
/** Play nothing */ readonly suppress_media?: boolean | null;
/** Wait for the first digit, in milliseconds */ readonly timeout?: number | null;
}
/** A menu */
export interface MenuInput {
/** Name */ readonly name: string;
/** Allow recording the greeting from outside (default: false) */ readonly allow_record_from_offnet?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Allow callers to dial extensions (default: true) */ readonly hunt?: boolean;
/** Regular expression for allowed extensions */ readonly hunt_allow?: string;
/** Regular expression for refused extensions */ readonly hunt_deny?: string;
/** Wait for the next digit, in milliseconds */ readonly interdigit_timeout?: number;
/** Maximum number of digits in an extension (default: 4) */ readonly max_extension_length?: number;
/** Media of the menu */ readonly media?: {
/** Media id of the greeting */ readonly greeting?: string;
/** Media played when the caller leaves */ readonly exit_media?: string | boolean;
/** Media played on an invalid choice */ readonly invalid_media?: string | boolean;
/** Media played before a transfer */ readonly transfer_media?: string | boolean;
readonly [key: string]: unknown;
};
/** PIN to record the greeting */ readonly record_pin?: string;
/** Number of attempts for a caller (default: 3) */ readonly retries?: number;
/** Play nothing (default: false) */ readonly suppress_media?: boolean;
/** Wait for the first digit, in milliseconds */ readonly timeout?: number;
}
/** A voicemail message */
export interface MessageRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Id of the recording, and of the message */ readonly media_id?: string;
/** Folder of the message */ readonly folder?: "new" | "saved" | "deleted" | (string & {});
/** Time of the message, in Gregorian seconds */ readonly timestamp?: number;
/** Address of the caller */ readonly from?: string;
/** Address of the callee */ readonly to?: string;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Call id of the message */ readonly call_id?: string;
/** Length, in milliseconds */ readonly length?: number;
/** Transcription of the message */ readonly transcription?: {
/** Result of the transcription */ readonly result?: "success" | "error" | (string & {});
/** What is said */ readonly text?: string;
};
}
/** A voicemail message */
export interface MessageChanges {
/** Id */ readonly id?: string | null;
/** Id of the recording, and of the message */ readonly media_id?: string | null;
/** Folder of the message */ readonly folder?: string | null;
/** Time of the message, in Gregorian seconds */ readonly timestamp?: number | null;
/** Address of the caller */ readonly from?: string | null;
/** Address of the callee */ readonly to?: string | null;
/** Name of the caller */ readonly caller_id_name?: string | null;
/** Number of the caller */ readonly caller_id_number?: string | null;
/** Call id of the message */ readonly call_id?: string | null;
/** Length, in milliseconds */ readonly length?: number | null;
/** Transcription of the message */ readonly transcription?: {
/** Result of the transcription */ readonly result?: string | null;
/** What is said */ readonly text?: string | null;
} | null;
}
/** A voicemail message */
export interface MessageInput {
/** Folder of the message */ readonly folder?: "new" | "saved" | "deleted" | (string & {});
/** Time of the message, in Gregorian seconds */ readonly timestamp?: number;
/** Address of the caller */ readonly from?: string;
/** Address of the callee */ readonly to?: string;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Call id of the message */ readonly call_id?: string;
/** Length, in milliseconds */ readonly length?: number;
/** Transcription of the message */ readonly transcription?: {
/** Result of the transcription */ readonly result?: "success" | "error" | (string & {});
/** What is said */ readonly text?: string;
};
}
/** Metaflow settings of an account */
export interface MetaflowRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Key that starts a metaflow */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
}
/** Metaflow settings of an account */
export interface MetaflowInput {
/** Key that starts a metaflow (default: "*") */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
}
/** A step of a flow */
export interface MetaflowNode {
/** Module to run: menu, user, voicemail, … */ readonly module: string;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
};
/** Next steps, by key: dialed digits, or _ for all other cases */ readonly children?: { readonly [key: string]: MetaflowNode };
}
/** A step of a flow */
export type MetaflowNodeChanges = {
/** Module to run: menu, user, voicemail, … */ readonly module?: string | null;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string | null;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown } | null;
readonly [key: string]: unknown;
} | null;
/** Next steps, by key: dialed digits, or _ for all other cases */ readonly children?: { readonly [key: string]: MetaflowNodeChanges } | null;
} | null;
/** A step of a flow */
export interface MetaflowNodeInput {
/** Module to run: menu, user, voicemail, … */ readonly module: string;
/** Parameters of the module */ readonly data?: {
/** PIN that a caller must dial (module disa) */ readonly pin?: string;
/** Properties sent along (module webhook) */ readonly custom_data?: { readonly [key: string]: unknown };
readonly [key: string]: unknown;
};
/** Next steps, by key: dialed digits, or _ for all other cases */ readonly children?: { readonly [key: string]: MetaflowNodeInput };
}
/** An e-mail template */
export interface NotificationRecord {
/** Name of the template, such as new_user */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Category: user, fax, voicemail, … */ readonly category?: string;
/** Name for people */ readonly friendly_name?: string;
/** Send these e-mails */ readonly enabled?: boolean;
/** Sender, which may contain macros */ readonly from?: string;
/** Address for replies */ readonly reply_to?: string;
/** Subject, which may contain macros */ readonly subject?: string;
/** Receivers */ readonly to?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a copy */ readonly cc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a blind copy */ readonly bcc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Character set */ readonly template_charset?: string;
/** Available macros, by name */ readonly macros?: { readonly [key: string]: {
/** Name */ readonly friendly_name?: string;
/** Meaning */ readonly description?: string;
readonly [key: string]: unknown;
} };
/** The account has its own version */ readonly account_overridden?: boolean;
/** The template exists only in this account */ readonly account_defined?: boolean;
/** Texts of the template, by content type */ readonly templates?: { readonly [key: string]: {
/** Size in bytes */ readonly length?: number;
} };
}
/** An e-mail template */
export interface NotificationInput {
/** Name of the template, such as new_user */ readonly id?: string;
/** Category: user, fax, voicemail, … */ readonly category?: string;
/** Send these e-mails (default: true) */ readonly enabled?: boolean;
/** Sender, which may contain macros */ readonly from: string;
/** Address for replies */ readonly reply_to?: string;
/** Subject, which may contain macros */ readonly subject: string;
/** Receivers */ readonly to: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a copy */ readonly cc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a blind copy */ readonly bcc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Character set (default: "utf-8") */ readonly template_charset?: string;
}
/** A phone number */
export interface NumberRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Carrier */ readonly carrier_name?: string;
/** Caller names */ readonly cnam?: {
/** Name shown to callees */ readonly display_name?: string;
/** Look up the names of callers */ readonly inbound_lookup?: boolean;
};
/** State of the new number */ readonly create_with_state?: "aging" | "available" | "deleted" | "discovery" | "in_service" | "port_in" | "port_out" | "released" | "reserved" | (string & {});
/** Address for emergency calls */ readonly e911?: {
/** Time of activation */ readonly activated_time?: string;
/** Name given to the emergency center */ readonly caller_name?: string;
/** Floor, room */ readonly extended_address?: string;
/** Latitude */ readonly latitude?: string;
/** Address in the older format */ readonly legacy_data?: {
/** House number */ readonly house_number?: string;
/** Direction before the street */ readonly predirectional?: string;
/** Street */ readonly streetname?: string;
/** Suite */ readonly suite?: string;
};
/** Town */ readonly locality: string;
/** Id of the location */ readonly location_id?: string;
/** Longitude */ readonly longitude?: string;
/** E-mail addresses to notify of an emergency call */ readonly notification_contact_emails?: readonly (unknown)[];
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
/** Name shown to callees */ readonly display_name?: string | null;
/** Look up the names of callers */ readonly inbound_lookup?: boolean | null;
} | null;
/** State of the new number */ readonly create_with_state?: string | null;
/** Address for emergency calls */ readonly e911?: {
/** Time of activation */ readonly activated_time?: string | null;
/** Name given to the emergency center */ readonly caller_name?: string | null;
/** Floor, room */ readonly extended_address?: string | null;
/** Latitude */ readonly latitude?: string | null;
/** Address in the older format */ readonly legacy_data?: {
/** House number */ readonly house_number?: string | null;
/** Direction before the street */ readonly predirectional?: string | null;
/** Street */ readonly streetname?: string | null;
/** Suite */ readonly suite?: string | null;
} | null;
/** Town */ readonly locality?: string | null;
/** Id of the location */ readonly location_id?: string | null;
/** Longitude */ readonly longitude?: string | null;
/** E-mail addresses to notify of an emergency call */ readonly notification_contact_emails?: readonly (unknown)[] | null;
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
/** Name shown to callees */ readonly display_name?: string;
/** Look up the names of callers */ readonly inbound_lookup?: boolean;
};
/** State of the new number */ readonly create_with_state?: "aging" | "available" | "deleted" | "discovery" | "in_service" | "port_in" | "port_out" | "released" | "reserved" | (string & {});
/** Address for emergency calls */ readonly e911?: {
/** Time of activation */ readonly activated_time?: string;
/** Name given to the emergency center */ readonly caller_name?: string;
/** Floor, room */ readonly extended_address?: string;
/** Latitude */ readonly latitude?: string;
/** Address in the older format */ readonly legacy_data?: {
/** House number */ readonly house_number?: string;
/** Direction before the street */ readonly predirectional?: string;
/** Street */ readonly streetname?: string;
/** Suite */ readonly suite?: string;
};
/** Town */ readonly locality: string;
/** Id of the location */ readonly location_id?: string;
/** Longitude */ readonly longitude?: string;
/** E-mail addresses to notify of an emergency call */ readonly notification_contact_emails?: readonly (unknown)[];
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
/** A parked call */
export interface ParkedCallRecord {
/** Number of the slot */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Parked leg */ readonly call_id?: string;
/** Id of the slot in the switch */ readonly slot_call_id?: string;
/** Leg of the person who parked the call */ readonly parker_call_id?: string;
/** Phone that rings if the call stays parked too long */ readonly ringback_id?: string;
/** Number of the caller */ readonly cid_number?: string;
/** Name of the caller */ readonly cid_name?: string;
/** Address of the caller */ readonly cid_uri?: string;
/** Presence id of the slot */ readonly presence_id?: string;
/** User part of the presence id */ readonly presence_user?: string;
/** Realm of the presence id */ readonly presence_realm?: string;
/** SIP tag of the caller */ readonly from_tag?: string;
/** SIP tag of the callee */ readonly to_tag?: string;
/** Address of the switch */ readonly switch_uri?: string;
/** Server that holds the call */ readonly node?: string;
/** Ringback media for the caller */ readonly hold_media?: string;
/** Parked by an attended transfer */ readonly attended?: boolean;
}
/** A participant */
export interface ParticipantRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Number of the participant */ readonly participant_id?: number;
/** Call */ readonly call_id?: string;
/** Conference */ readonly conference_name?: string;
/** Id of this run of the conference */ readonly conference_uuid?: string;
/** How loud now */ readonly current_energy?: number;
/** Seconds in the conference */ readonly duration?: number;
/** Audio level that counts as speech */ readonly energy_level?: number;
/** Has the floor */ readonly floor?: boolean;
/** Hears the others */ readonly hear?: boolean;
/** Is a moderator */ readonly is_moderator?: boolean;
/** Join time, in Gregorian seconds */ readonly join_time?: number;
/** Detects speech while muted */ readonly mute_detect?: boolean;
/** Is heard */ readonly speak?: boolean;
/** Server */ readonly switch_hostname?: string;
/** Is talking */ readonly talking?: boolean;
/** With video */ readonly video?: boolean;
}
/** A port request */
export interface PortRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Details from the bill of the losing carrier */ readonly bill?: {
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
/** Action is required */ readonly action_required?: boolean;
/** Author */ readonly author: string;
/** What it says */ readonly content: string;
/** Only visible to the port authority */ readonly is_private?: boolean;
/** Time of writing, in Gregorian seconds */ readonly timestamp: number;
/** User who wrote it */ readonly user_id?: string;
})[];
/** Recipients of progress notifications */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: string | readonly (unknown)[];
};
};
/** Numbers to port */ readonly numbers: { readonly [key: string]: unknown };
/** Reference of the carrier */ readonly reference_number?: string;
/** Who signed */ readonly signee_name?: string;
/** Time of the signature, in Gregorian seconds */ readonly signing_date?: number;
/** Requested port time, in Gregorian seconds */ readonly transfer_date?: number;
/** Carrier that receives the numbers */ readonly winning_carrier?: string;
/** Scheduled port time, in Gregorian seconds */ readonly scheduled_date?: number;
/** Scheduled port time in local time; sets scheduled_date */ readonly schedule_on?: {
/** Time zone, such as America/New_York */ readonly timezone: string;
/** Local date and time, such as 2030-01-31 09:00 */ readonly date_time: string;
};
/** State of the request */ readonly port_state?: "unconfirmed" | "submitted" | "pending" | "scheduled" | "completed" | "rejected" | "canceled" | (string & {});
/** History, oldest first: state changes and comments */ readonly timeline?: readonly ({ readonly [key: string]: unknown })[];
/** Time of creation, in Gregorian seconds */ readonly created?: number;
/** Time of the last change, in Gregorian seconds */ readonly updated?: number;
/** Account of the request, in lists of compatible services */ readonly account_id?: string;
/** The notification of the submission was sent */ readonly sent?: boolean;
/** Attachments by name */ readonly uploads?: { readonly [key: string]: unknown };
}
/** A port request */
export interface PortChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Details from the bill of the losing carrier */ readonly bill?: {
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
/** Action is required */ readonly action_required?: boolean;
/** Author */ readonly author: string;
/** What it says */ readonly content: string;
/** Only visible to the port authority */ readonly is_private?: boolean;
/** Time of writing, in Gregorian seconds */ readonly timestamp: number;
/** User who wrote it */ readonly user_id?: string;
})[] | null;
/** Recipients of progress notifications */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: string | readonly (unknown)[] | null;
} | null;
} | null;
/** Numbers to port */ readonly numbers?: { readonly [key: string]: unknown } | null;
/** Reference of the carrier */ readonly reference_number?: string | null;
/** Who signed */ readonly signee_name?: string | null;
/** Time of the signature, in Gregorian seconds */ readonly signing_date?: number | null;
/** Requested port time, in Gregorian seconds */ readonly transfer_date?: number | null;
/** Carrier that receives the numbers */ readonly winning_carrier?: string | null;
/** Scheduled port time, in Gregorian seconds */ readonly scheduled_date?: number | null;
/** Scheduled port time in local time; sets scheduled_date */ readonly schedule_on?: {
/** Time zone, such as America/New_York */ readonly timezone?: string | null;
/** Local date and time, such as 2030-01-31 09:00 */ readonly date_time?: string | null;
} | null;
/** State of the request */ readonly port_state?: string | null;
/** History, oldest first: state changes and comments */ readonly timeline?: readonly ({ readonly [key: string]: unknown })[] | null;
/** Time of creation, in Gregorian seconds */ readonly created?: number | null;
/** Time of the last change, in Gregorian seconds */ readonly updated?: number | null;
/** Account of the request, in lists of compatible services */ readonly account_id?: string | null;
/** The notification of the submission was sent */ readonly sent?: boolean | null;
/** Attachments by name */ readonly uploads?: { readonly [key: string]: unknown } | null;
}
/** A port request */
export interface PortInput {
/** Name */ readonly name: string;
/** Details from the bill of the losing carrier */ readonly bill?: {
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
/** Action is required (default: false) */ readonly action_required?: boolean;
/** Author */ readonly author: string;
/** What it says */ readonly content: string;
/** Only visible to the port authority (default: false) */ readonly is_private?: boolean;
/** Time of writing, in Gregorian seconds */ readonly timestamp: number;
/** User who wrote it */ readonly user_id?: string;
})[];
/** Recipients of progress notifications */ readonly notifications?: {
/** By e-mail */ readonly email?: {
/** Whom to tell */ readonly send_to?: string | readonly (unknown)[];
};
};
/** Numbers to port */ readonly numbers: { readonly [key: string]: unknown };
/** Reference of the carrier */ readonly reference_number?: string;
/** Who signed */ readonly signee_name?: string;
/** Time of the signature, in Gregorian seconds */ readonly signing_date?: number;
/** Requested port time, in Gregorian seconds */ readonly transfer_date?: number;
/** Carrier that receives the numbers */ readonly winning_carrier?: string;
/** Scheduled port time, in Gregorian seconds */ readonly scheduled_date?: number;
/** Scheduled port time in local time; sets scheduled_date */ readonly schedule_on?: {
/** Time zone, such as America/New_York */ readonly timezone: string;
/** Local date and time, such as 2030-01-31 09:00 */ readonly date_time: string;
};
}
/** Subscriptions to an extension */
export interface PresenceStateRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** By extension */ readonly subscriptions?: { readonly [key: string]: { readonly [key: string]: { readonly [key: string]: {
/** Seconds until it expires */ readonly expires?: number;
/** Address of the subscribed phone */ readonly from?: string;
/** Number of notifications sent */ readonly notify?: number;
/** Process that sends the notifications */ readonly stalker?: string;
/** Start, in Gregorian seconds */ readonly timestamp?: number;
/** Sequence number of the last notification */ readonly version?: number;
readonly [key: string]: unknown;
} } } };
/** The request timed out */ readonly timeout?: boolean;
}
/** An SSO provider */
export interface ProviderRecord {
/** Id, such as google */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Kind of provider */ readonly provider_type?: "oauth" | "multi_factor";
/** May be used */ readonly enabled?: boolean;
/** Name */ readonly name?: string;
/** Name of the service behind it */ readonly provider_name?: string;
/** URL that exchanges codes for tokens */ readonly access_code_url?: string;
/** Module that connects to it */ readonly auth_module?: string;
/** URL of the sign-in page */ readonly auth_url?: string;
/** OpenID discovery document */ readonly discovery?: string;
/** Trusted issuers */ readonly issuer_domains?: readonly (string)[];
/** OAuth endpoint */ readonly oauth_url?: string;
/** URL of the user profile */ readonly profile_url?: string;
/** Profile field that forms the identity */ readonly profile_identity_field?: string;
/** Profile fields that form the identity */ readonly profile_identity_fields?: readonly (string)[];
/** Profile field with the name */ readonly profile_displayName_field?: string;
/** Profile field with the e-mail address */ readonly profile_email_field?: string;
/** Exchange of signed tokens */ readonly jwt_flow?: { readonly [key: string]: unknown };
/** Lookup method for public keys */ readonly public_key_method?: string;
/** Field of the discovery document that contains the public keys */ readonly public_key_discovery_field?: string;
/** Field of a token with the key id */ readonly public_key_jwt_field?: string;
/** Part of a token that contains the key id */ readonly public_key_jwt_location?: string;
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
/** URL that exchanges codes for tokens */ readonly access_code_url?: string;
/** Module that connects to it */ readonly auth_module?: string;
/** URL of the sign-in page */ readonly auth_url?: string;
/** OpenID discovery document */ readonly discovery?: string;
/** Trusted issuers */ readonly issuer_domains?: readonly (string)[];
/** OAuth endpoint */ readonly oauth_url?: string;
/** URL of the user profile */ readonly profile_url?: string;
/** Profile field that forms the identity */ readonly profile_identity_field?: string;
/** Profile fields that form the identity */ readonly profile_identity_fields?: readonly (string)[];
/** Profile field with the name */ readonly profile_displayName_field?: string;
/** Profile field with the e-mail address */ readonly profile_email_field?: string;
/** Exchange of signed tokens */ readonly jwt_flow?: { readonly [key: string]: unknown };
/** Lookup method for public keys */ readonly public_key_method?: string;
/** Field of the discovery document that contains the public keys */ readonly public_key_discovery_field?: string;
/** Field of a token with the key id */ readonly public_key_jwt_field?: string;
/** Part of a token that contains the key id */ readonly public_key_jwt_location?: string;
/** Field of a key with the key id */ readonly public_key_lookup_field?: string;
/** Scopes by name */ readonly scopes?: { readonly [key: string]: unknown };
/** Settings of the module */ readonly settings?: { readonly [key: string]: unknown };
}
/** A queue */
export interface QueueRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Order in which agents ring */ readonly strategy?: "round_robin" | "most_idle" | (string & {});
/** Ring time for each agent, in seconds */ readonly agent_ring_timeout?: number;
/** Wrap-up time after a call, in seconds */ readonly agent_wrapup_time?: number;
/** Media played to the agent before the call: a media id or a URL */ readonly announce?: string;
/** Announcements for waiting callers */ readonly announcements?: {
/** Seconds between announcements */ readonly interval?: number;
/** Announcement media; set all four */ readonly media?: {
/** "in the queue" */ readonly in_the_queue: string;
/** "more calls than usual" */ readonly increase_in_call_volume: string;
/** "the estimated waiting time is" */ readonly the_estimated_wait_time_is: string;
/** "you are at position" */ readonly you_are_at_position: string;
};
/** Announce the position in the queue */ readonly position_announcements_enabled?: boolean;
/** Announce the estimated wait time */ readonly wait_time_announcements_enabled?: boolean;
};
/** Key that a caller presses to leave the queue */ readonly caller_exit_key?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "*" | "0" | "#" | (string & {});
/** URL that receives the record of each call */ readonly cdr_url?: string;
/** Maximum wait in seconds (0 for unlimited) */ readonly connection_timeout?: number;
/** Let callers wait when no agent is logged in */ readonly enter_when_empty?: boolean;
/** Highest priority of a call, fixed after creation */ readonly max_priority?: number;
/** Maximum number of waiting callers (0 for unlimited) */ readonly max_queue_size?: number;
/** Music on hold: a media id or a URL */ readonly moh?: string;
/** Record the calls */ readonly record_caller?: boolean;
/** URL that receives recordings */ readonly recording_url?: string;
/** Number of agents who ring at the same time */ readonly ring_simultaneously?: number;
/** Ids of its agents: users with the queue in their queues */ readonly agents?: readonly (string)[];
}
/** A queue */
export interface QueueChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Order in which agents ring */ readonly strategy?: string | null;
/** Ring time for each agent, in seconds */ readonly agent_ring_timeout?: number | null;
/** Wrap-up time after a call, in seconds */ readonly agent_wrapup_time?: number | null;
/** Media played to the agent before the call: a media id or a URL */ readonly announce?: string | null;
/** Announcements for waiting callers */ readonly announcements?: {
/** Seconds between announcements */ readonly interval?: number | null;
/** Announcement media; set all four */ readonly media?: {
/** "in the queue" */ readonly in_the_queue?: string | null;
/** "more calls than usual" */ readonly increase_in_call_volume?: string | null;
/** "the estimated waiting time is" */ readonly the_estimated_wait_time_is?: string | null;
/** "you are at position" */ readonly you_are_at_position?: string | null;
} | null;
/** Announce the position in the queue */ readonly position_announcements_enabled?: boolean | null;
/** Announce the estimated wait time */ readonly wait_time_announcements_enabled?: boolean | null;
} | null;
/** Key that a caller presses to leave the queue */ readonly caller_exit_key?: string | null;
/** URL that receives the record of each call */ readonly cdr_url?: string | null;
/** Maximum wait in seconds (0 for unlimited) */ readonly connection_timeout?: number | null;
/** Let callers wait when no agent is logged in */ readonly enter_when_empty?: boolean | null;
/** Highest priority of a call, fixed after creation */ readonly max_priority?: number | null;
/** Maximum number of waiting callers (0 for unlimited) */ readonly max_queue_size?: number | null;
/** Music on hold: a media id or a URL */ readonly moh?: string | null;
/** Record the calls */ readonly record_caller?: boolean | null;
/** URL that receives recordings */ readonly recording_url?: string | null;
/** Number of agents who ring at the same time */ readonly ring_simultaneously?: number | null;
/** Ids of its agents: users with the queue in their queues */ readonly agents?: readonly (string)[] | null;
}
/** A queue */
export interface QueueInput {
/** Name */ readonly name: string;
/** Order in which agents ring (default: "round_robin") */ readonly strategy?: "round_robin" | "most_idle" | (string & {});
/** Ring time for each agent, in seconds (default: 15) */ readonly agent_ring_timeout?: number;
/** Wrap-up time after a call, in seconds (default: 0) */ readonly agent_wrapup_time?: number;
/** Media played to the agent before the call: a media id or a URL */ readonly announce?: string;
/** Announcements for waiting callers */ readonly announcements?: {
/** Seconds between announcements */ readonly interval?: number;
/** Announcement media; set all four */ readonly media?: {
/** "in the queue" */ readonly in_the_queue: string;
/** "more calls than usual" */ readonly increase_in_call_volume: string;
/** "the estimated waiting time is" */ readonly the_estimated_wait_time_is: string;
/** "you are at position" */ readonly you_are_at_position: string;
};
/** Announce the position in the queue */ readonly position_announcements_enabled?: boolean;
/** Announce the estimated wait time */ readonly wait_time_announcements_enabled?: boolean;
};
/** Key that a caller presses to leave the queue (default: "#") */ readonly caller_exit_key?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "*" | "0" | "#" | (string & {});
/** URL that receives the record of each call */ readonly cdr_url?: string;
/** Maximum wait in seconds (0 for unlimited) (default: 3600) */ readonly connection_timeout?: number;
/** Let callers wait when no agent is logged in (default: true) */ readonly enter_when_empty?: boolean;
/** Highest priority of a call, fixed after creation */ readonly max_priority?: number;
/** Maximum number of waiting callers (0 for unlimited) (default: 0) */ readonly max_queue_size?: number;
/** Music on hold: a media id or a URL */ readonly moh?: string;
/** Record the calls (default: false) */ readonly record_caller?: boolean;
/** URL that receives recordings */ readonly recording_url?: string;
/** Number of agents who ring at the same time (default: 1) */ readonly ring_simultaneously?: number;
}
/** A rate */
export interface RateRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Prefix of the numbers, digits without + */ readonly prefix: number;
/** Price per minute */ readonly rate_cost?: number;
/** Name */ readonly rate_name?: string;
/** Description */ readonly description?: string;
/** Directions (default: both) */ readonly direction?: readonly ("inbound" | "outbound" | (string & {}))[];
/** Operator's cost per minute */ readonly internal_rate_cost?: number;
/** Price per call */ readonly rate_surcharge?: number;
/** Minimum billed seconds */ readonly rate_minimum?: number;
/** Billing increment, in seconds */ readonly rate_increment?: number;
/** Calls up to this many seconds are free */ readonly rate_nocharge_time?: number;
/** Suffix */ readonly rate_suffix?: string;
/** Version */ readonly rate_version?: string;
/** Carrier */ readonly carrier?: string;
/** Prefixes of the callers' numbers, separated by colons */ readonly caller_id_numbers?: string;
/** Country */ readonly iso_country_code?: string;
/** Options required of the account */ readonly options?: readonly (string)[];
/** Regular expressions (default: derived from the prefix) */ readonly routes?: readonly (string)[];
/** Deck that it belongs to */ readonly ratedeck_id?: string;
/** Account of the rate */ readonly account_id?: string;
/** Order among equal matches (1 is first) */ readonly weight?: number;
/** Name, in lists */ readonly name?: string;
/** Price per minute, in lists */ readonly cost?: number;
/** Price per call, in lists */ readonly surcharge?: number;
}
/** A rate */
export interface RateChanges {
/** Id */ readonly id?: string | null;
/** Prefix of the numbers, digits without + */ readonly prefix?: number | null;
/** Price per minute */ readonly rate_cost?: number | null;
/** Name */ readonly rate_name?: string | null;
/** Description */ readonly description?: string | null;
/** Directions (default: both) */ readonly direction?: readonly ("inbound" | "outbound" | (string & {}))[] | null;
/** Operator's cost per minute */ readonly internal_rate_cost?: number | null;
/** Price per call */ readonly rate_surcharge?: number | null;
/** Minimum billed seconds */ readonly rate_minimum?: number | null;
/** Billing increment, in seconds */ readonly rate_increment?: number | null;
/** Calls up to this many seconds are free */ readonly rate_nocharge_time?: number | null;
/** Suffix */ readonly rate_suffix?: string | null;
/** Version */ readonly rate_version?: string | null;
/** Carrier */ readonly carrier?: string | null;
/** Prefixes of the callers' numbers, separated by colons */ readonly caller_id_numbers?: string | null;
/** Country */ readonly iso_country_code?: string | null;
/** Options required of the account */ readonly options?: readonly (string)[] | null;
/** Regular expressions (default: derived from the prefix) */ readonly routes?: readonly (string)[] | null;
/** Deck that it belongs to */ readonly ratedeck_id?: string | null;
/** Account of the rate */ readonly account_id?: string | null;
/** Order among equal matches (1 is first) */ readonly weight?: number | null;
/** Name, in lists */ readonly name?: string | null;
/** Price per minute, in lists */ readonly cost?: number | null;
/** Price per call, in lists */ readonly surcharge?: number | null;
}
/** A rate */
export interface RateInput {
/** Prefix of the numbers, digits without + */ readonly prefix: number;
/** Price per minute */ readonly rate_cost: number;
/** Name */ readonly rate_name?: string;
/** Description */ readonly description?: string;
/** Directions (default: both) */ readonly direction?: readonly ("inbound" | "outbound" | (string & {}))[];
/** Operator's cost per minute */ readonly internal_rate_cost?: number;
/** Price per call */ readonly rate_surcharge?: number;
/** Minimum billed seconds */ readonly rate_minimum?: number;
/** Billing increment, in seconds */ readonly rate_increment?: number;
/** Calls up to this many seconds are free */ readonly rate_nocharge_time?: number;
/** Suffix */ readonly rate_suffix?: string;
/** Version */ readonly rate_version?: string;
/** Carrier */ readonly carrier?: string;
/** Prefixes of the callers' numbers, separated by colons */ readonly caller_id_numbers?: string;
/** Country */ readonly iso_country_code?: string;
/** Options required of the account */ readonly options?: readonly (string)[];
/** Regular expressions (default: derived from the prefix) */ readonly routes?: readonly (string)[];
/** Deck that it belongs to */ readonly ratedeck_id?: string;
/** Account of the rate */ readonly account_id?: string;
/** Order among equal matches (1 is first) */ readonly weight?: number;
}
/** SIP request limits */
export interface RateLimitRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Limit for the whole account */ readonly account?: {
/** In a minute */ readonly per_minute: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
/** In a second */ readonly per_second: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
};
/** Limit for each device */ readonly device?: {
/** In a minute */ readonly per_minute: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
/** In a second */ readonly per_second: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
};
}
/** SIP request limits */
export interface RateLimitInput {
/** Limit for the whole account */ readonly account: {
/** In a minute */ readonly per_minute: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
/** In a second */ readonly per_second: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
};
/** Limit for each device */ readonly device: {
/** In a minute */ readonly per_minute: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
/** In a second */ readonly per_second: {
/** Calls */ readonly invites?: number;
/** Registrations */ readonly registrations?: number;
/** Packets in all */ readonly total_packets: number;
};
};
}
/** A recording of a call */
export interface RecordingRecord {
/** Id */ readonly id: string;
/** Audio */ readonly _read_only?: {
/** Content types available for download */ readonly content_types?: readonly (string)[];
};
/** Name of the file */ readonly name?: string;
/** Description */ readonly description?: string;
/** Start, in Gregorian seconds */ readonly start?: number;
/** Seconds */ readonly duration?: number;
/** Milliseconds */ readonly duration_ms?: number;
/** Direction of the leg: inbound or outbound */ readonly direction?: string;
/** Name of the caller */ readonly caller_id_name?: string;
/** Number of the caller */ readonly caller_id_number?: string;
/** Name of the callee */ readonly callee_id_name?: string;
/** Number of the callee */ readonly callee_id_number?: string;
/** Address of the caller */ readonly from?: string;
/** Address of the callee */ readonly to?: string;
/** Requested address */ readonly request?: string;
/** Recorded leg */ readonly call_id?: string;
/** Call record of that leg */ readonly cdr_id?: string;
/** Id that all legs of the call share */ readonly interaction_id?: string;
/** Recorded user */ readonly owner_id?: string;
/** Device or account that requested it */ readonly endpoint_id?: string;
/** Reason for the recording */ readonly origin?: string;
/** Content type of the audio */ readonly content_type?: string;
/** File extension */ readonly media_type?: string;
/** Source: recorded */ readonly media_source?: string;
/** Part of the service that created the recording */ readonly source_type?: string;
/** URL that received the audio */ readonly url?: string;
/** Channel variables of the service */ readonly custom_channel_vars?: { readonly [key: string]: unknown };
}
/** A registered phone */
export interface RegistrationRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** SIP user name */ readonly username?: string;
/** SIP realm */ readonly realm?: string;
/** Name of the account */ readonly account_name?: string;
/** Realm of the account */ readonly account_realm?: string;
/** Device */ readonly authorizing_id?: string;
/** Type of the registered endpoint: device, mobile or sys_info */ readonly authorizing_type?: string;
/** Owner of the device */ readonly owner_id?: string;
/** Name of its lamp */ readonly presence_id?: string;
/** Stored contact address of the phone */ readonly contact?: string;
/** Contact address sent by the phone */ readonly original_contact?: string;
/** Previous contact address */ readonly previous_contact?: string;
/** Host of the address */ readonly contact_ip?: string;
/** Port of the address */ readonly contact_port?: number | string;
/** Source address */ readonly network_ip?: string;
/** Source port */ readonly network_port?: string;
/** Address behind the proxy */ readonly source_ip?: string;
/** Port behind the proxy */ readonly source_port?: string;
/** Proxies on the path */ readonly proxy_path?: string;
/** Address of the proxy */ readonly proxy_ip?: string;
/** Port of the proxy */ readonly proxy_port?: string;
/** Protocol of the proxy */ readonly proxy_protocol?: string;
/** User agent of the phone */ readonly user_agent?: string;
/** Call id of the registration */ readonly call_id?: string;
/** User of the From header */ readonly from_user?: string;
/** Host of the From header */ readonly from_host?: string;
/** User of the To header */ readonly to_user?: string;
/** Host of the To header */ readonly to_host?: string;
/** Seconds until it expires */ readonly expires?: number;
/** Time of the last registration, in Gregorian seconds */ readonly event_timestamp?: number;
/** The same */ readonly last_registration?: number;
/** Time of the first registration, in Gregorian seconds */ readonly initial_registration?: number;
/** Registered only once */ readonly first_registration?: boolean;
/** Do not notify when the registration expires */ readonly suppress_unregister_notify?: boolean;
/** Notify when another phone takes over the registration */ readonly register_overwrite_notify?: boolean;
/** Registrar server */ readonly registrar_node?: string;
/** Host of the registrar server */ readonly registrar_hostname?: string;
/** Address for calls */ readonly bridge_ruri?: string;
}
/** A matching record */
export interface SearchHitRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name?: string;
/** First name */ readonly first_name?: string;
/** Last name */ readonly last_name?: string;
/** Numbers of a callflow */ readonly numbers?: readonly (string)[];
/** Realm of an account */ readonly realm?: string;
/** Accounts below an account */ readonly descendants_count?: number;
}
/** Settings of a second factor */
export interface SecondFactorRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** May be used */ readonly enabled: boolean;
/** Service behind it */ readonly provider_name: string;
/** Kind of provider */ readonly provider_type?: string;
/** Settings of the provider */ readonly settings?: {
/** Key at the provider */ readonly integration_key?: string;
/** Secret at the provider */ readonly secret_key?: string;
/** Secret of the service */ readonly application_secret_key?: string;
/** Host of the provider */ readonly api_hostname?: string;
readonly [key: string]: unknown;
};
}
/** Settings of a second factor */
export interface SecondFactorChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** May be used */ readonly enabled?: boolean | null;
/** Service behind it */ readonly provider_name?: string | null;
/** Kind of provider */ readonly provider_type?: string | null;
/** Settings of the provider */ readonly settings?: {
/** Key at the provider */ readonly integration_key?: string | null;
/** Secret at the provider */ readonly secret_key?: string | null;
/** Secret of the service */ readonly application_secret_key?: string | null;
/** Host of the provider */ readonly api_hostname?: string | null;
readonly [key: string]: unknown;
} | null;
}
/** Settings of a second factor */
export interface SecondFactorInput {
/** Name */ readonly name: string;
/** May be used */ readonly enabled: boolean;
/** Service behind it */ readonly provider_name: string;
/** Settings of the provider */ readonly settings?: {
/** Key at the provider */ readonly integration_key?: string;
/** Secret at the provider */ readonly secret_key?: string;
/** Secret of the service */ readonly application_secret_key?: string;
/** Host of the provider */ readonly api_hostname?: string;
readonly [key: string]: unknown;
};
}
/** Ways to sign in to an account */
export interface SecuritySettingRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** By module: cb_user_auth (user and password), cb_api_auth (API key), cb_auth, cb_ip_auth */ readonly auth_modules?: { readonly [key: string]: unknown };
/** Settings of the account */ readonly account?: {
/** By module: cb_user_auth (user and password), cb_api_auth (API key), cb_auth, cb_ip_auth */ readonly auth_modules?: { readonly [key: string]: unknown };
};
/** Settings of the accounts above */ readonly inherited_config?: {
/** By module: cb_user_auth (user and password), cb_api_auth (API key), cb_auth, cb_ip_auth */ readonly auth_modules?: { readonly [key: string]: unknown };
};
}
/** Ways to sign in to an account */
export interface SecuritySettingChanges {
/** Id */ readonly id?: string | null;
/** By module: cb_user_auth (user and password), cb_api_auth (API key), cb_auth, cb_ip_auth */ readonly auth_modules?: { readonly [key: string]: unknown } | null;
/** Settings of the account */ readonly account?: {
/** By module: cb_user_auth (user and password), cb_api_auth (API key), cb_auth, cb_ip_auth */ readonly auth_modules?: { readonly [key: string]: unknown } | null;
} | null;
/** Settings of the accounts above */ readonly inherited_config?: {
/** By module: cb_user_auth (user and password), cb_api_auth (API key), cb_auth, cb_ip_auth */ readonly auth_modules?: { readonly [key: string]: unknown } | null;
} | null;
}
/** Ways to sign in to an account */
export interface SecuritySettingInput {
/** By module: cb_user_auth (user and password), cb_api_auth (API key), cb_auth, cb_ip_auth */ readonly auth_modules?: { readonly [key: string]: unknown };
}
/** A resource selector rule */
export interface SelectorRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Resource to choose */ readonly resource: string;
/** Property to compare */ readonly selector: string;
/** Value to match */ readonly value?: string;
/** Valid from, in Gregorian seconds */ readonly start_time?: number;
/** Valid until, in Gregorian seconds */ readonly stop_time?: number;
}
/** A resource selector rule */
export interface SelectorInput {
/** Name */ readonly name: string;
/** Resource to choose */ readonly resource: string;
/** Property to compare */ readonly selector: string;
/** Value to match */ readonly value?: string;
/** Valid from, in Gregorian seconds */ readonly start_time?: number;
/** Valid until, in Gregorian seconds */ readonly stop_time?: number;
}
/** Service plans of an account */
export interface ServiceRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Plans: ids, or objects with id, vendor_id, overrides and contract */ readonly plans?: readonly (unknown)[] | { readonly [key: string]: unknown };
/** Plans to add */ readonly add?: readonly (unknown)[];
/** Ids of plans to remove */ readonly delete?: readonly (string)[];
/** Overrides of the plans, by category and item */ readonly overrides?: { readonly [key: string]: unknown };
/** Account that pays */ readonly billing_id?: string;
}
/** Service plans of an account */
export interface ServiceInput {
/** Plans: ids, or objects with id, vendor_id, overrides and contract */ readonly plans?: readonly (unknown)[] | { readonly [key: string]: unknown };
/** Plans to add */ readonly add?: readonly (unknown)[];
/** Ids of plans to remove */ readonly delete?: readonly (string)[];
/** Overrides of the plans, by category and item */ readonly overrides?: { readonly [key: string]: unknown };
/** Account that pays */ readonly billing_id?: string;
}
/** An app */
export interface StoreAppRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name?: string;
/** Texts, by language */ readonly i18n?: { readonly [key: string]: {
/** Title */ readonly label?: string;
/** Purpose */ readonly description?: string;
readonly [key: string]: unknown;
} };
/** Subjects */ readonly tags?: readonly (string)[];
/** URL of its API */ readonly api_url?: string;
/** URL of its code (default: part of the interface) */ readonly source_url?: string;
/** Who may use it */ readonly allowed_users?: string;
/** Those who may */ readonly users?: readonly ({ readonly [key: string]: unknown })[];
/** Works when masquerading as an account below */ readonly masqueradable?: boolean;
/** It is offered */ readonly published?: boolean;
}
/** An outside line of the whole service */
export interface SystemCarrierRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Gateways of the carrier, tried in the order of gateway_strategy */ readonly gateways?: readonly ({
/** Host or address of the carrier */ readonly server: string;
/** Port */ readonly port?: number;
/** Name to sign in with */ readonly username?: string;
/** Password to sign in with */ readonly password?: string;
/** Realm to sign in at */ readonly realm?: string;
/** May be used */ readonly enabled?: boolean;
/** Kind of line */ readonly endpoint_type?: "sip" | "freetdm" | "skype" | "amqp" | (string & {});
/** Format of the numbers sent to the carrier */ readonly invite_format?: "route" | "username" | "e164" | "npan" | "1npan" | "strip_plus" | (string & {});
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Codecs, best first */ readonly codecs?: readonly ("G729" | "PCMU" | "PCMA" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "GSM" | "OPUS" | "H261" | "H263" | "H264" | "VP8" | (string & {}))[];
/** Caller id to send */ readonly caller_id_type?: "internal" | "external" | "emergency" | (string & {});
/** Audio bypasses the service */ readonly bypass_media?: boolean;
/** Accept calls from this port only */ readonly force_port?: boolean;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Realm of the From header */ readonly from_uri_realm?: string;
/** Source address of calls, if it differs from the server */ readonly inbound_ip?: string;
/** Seconds to wait for ringing */ readonly progress_timeout?: number;
/** Register with the carrier */ readonly register?: boolean;
/** Fixed SIP address for every call */ readonly route?: string;
/** SIP headers to send, by name */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
/** Outbound interface of the switch */ readonly custom_sip_interface?: string;
/** Parameters of the request URI */ readonly invite_parameters?: {
/** Names of properties of the call */ readonly dynamic?: readonly (unknown)[];
/** Static texts */ readonly static?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Order in which channels of a line are used */ readonly channel_selection?: "ascending" | "descending" | (string & {});
/** Rotate among Skype accounts */ readonly skype_rr?: boolean;
/** Media settings */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Use one port for RTP and RTCP */ readonly rtcp_mux?: boolean;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
})[];
/** May be used */ readonly enabled?: boolean;
/** Weight: lower values are tried first */ readonly weight_cost?: number;
/** Carries emergency calls */ readonly emergency?: boolean;
/** Regular expressions for dialed numbers; the first captured group is sent */ readonly rules?: readonly (string)[];
/** Regular expressions for numbers of test calls */ readonly rules_test?: readonly (string)[];
/** Regular expressions for the caller's number */ readonly cid_rules?: readonly (string)[];
/** Settings by number class, such as did_us; used instead of rules */ readonly classifiers?: { readonly [key: string]: {
/** May be used */ readonly enabled?: boolean;
/** Carries emergency calls */ readonly emergency?: boolean;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Regular expression that replaces the one of the class */ readonly regex?: string;
/** Weight: lower values are tried first */ readonly weight_cost?: number;
} };
/** Flags that the carrier accepts (it skips calls with other flags) */ readonly flags?: readonly (string)[];
/** Accept calls with any flags */ readonly ignore_flags?: boolean;
/** Skip calls without flags */ readonly require_flags?: boolean;
/** Caller ids */ readonly caller_id_options?: {
/** Caller id to send */ readonly type?: "internal" | "external" | "emergency" | (string & {});
readonly [key: string]: unknown;
};
/** Order of the gateways */ readonly gateway_strategy?: "sequential" | "random" | (string & {});
/** Seconds before the next carrier is tried in parallel */ readonly grace_period?: number;
/** Send the caller's realm in the From header */ readonly from_account_realm?: boolean;
/** Realm of the From header; overrides from_account_realm */ readonly from_uri_realm?: string;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Numbers that never use flat-rate trunks */ readonly flat_rate_blacklist?: string;
/** Numbers that may use flat-rate trunks */ readonly flat_rate_whitelist?: string;
/** Accept calls from the gateways' addresses without a password */ readonly peer?: boolean;
/** Template that it was created from */ readonly template_name?: string;
}
/** An outside line of the whole service */
export interface SystemCarrierChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Gateways of the carrier, tried in the order of gateway_strategy */ readonly gateways?: readonly ({
/** Host or address of the carrier */ readonly server: string;
/** Port */ readonly port?: number;
/** Name to sign in with */ readonly username?: string;
/** Password to sign in with */ readonly password?: string;
/** Realm to sign in at */ readonly realm?: string;
/** May be used */ readonly enabled?: boolean;
/** Kind of line */ readonly endpoint_type?: "sip" | "freetdm" | "skype" | "amqp" | (string & {});
/** Format of the numbers sent to the carrier */ readonly invite_format?: "route" | "username" | "e164" | "npan" | "1npan" | "strip_plus" | (string & {});
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Codecs, best first */ readonly codecs?: readonly ("G729" | "PCMU" | "PCMA" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "GSM" | "OPUS" | "H261" | "H263" | "H264" | "VP8" | (string & {}))[];
/** Caller id to send */ readonly caller_id_type?: "internal" | "external" | "emergency" | (string & {});
/** Audio bypasses the service */ readonly bypass_media?: boolean;
/** Accept calls from this port only */ readonly force_port?: boolean;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Realm of the From header */ readonly from_uri_realm?: string;
/** Source address of calls, if it differs from the server */ readonly inbound_ip?: string;
/** Seconds to wait for ringing */ readonly progress_timeout?: number;
/** Register with the carrier */ readonly register?: boolean;
/** Fixed SIP address for every call */ readonly route?: string;
/** SIP headers to send, by name */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
/** Outbound interface of the switch */ readonly custom_sip_interface?: string;
/** Parameters of the request URI */ readonly invite_parameters?: {
/** Names of properties of the call */ readonly dynamic?: readonly (unknown)[];
/** Static texts */ readonly static?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Order in which channels of a line are used */ readonly channel_selection?: "ascending" | "descending" | (string & {});
/** Rotate among Skype accounts */ readonly skype_rr?: boolean;
/** Media settings */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Use one port for RTP and RTCP */ readonly rtcp_mux?: boolean;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
})[] | null;
/** May be used */ readonly enabled?: boolean | null;
/** Weight: lower values are tried first */ readonly weight_cost?: number | null;
/** Carries emergency calls */ readonly emergency?: boolean | null;
/** Regular expressions for dialed numbers; the first captured group is sent */ readonly rules?: readonly (string)[] | null;
/** Regular expressions for numbers of test calls */ readonly rules_test?: readonly (string)[] | null;
/** Regular expressions for the caller's number */ readonly cid_rules?: readonly (string)[] | null;
/** Settings by number class, such as did_us; used instead of rules */ readonly classifiers?: { readonly [key: string]: {
/** May be used */ readonly enabled?: boolean | null;
/** Carries emergency calls */ readonly emergency?: boolean | null;
/** Digits added before the number */ readonly prefix?: string | null;
/** Digits added after the number */ readonly suffix?: string | null;
/** Regular expression that replaces the one of the class */ readonly regex?: string | null;
/** Weight: lower values are tried first */ readonly weight_cost?: number | null;
} | null } | null;
/** Flags that the carrier accepts (it skips calls with other flags) */ readonly flags?: readonly (string)[] | null;
/** Accept calls with any flags */ readonly ignore_flags?: boolean | null;
/** Skip calls without flags */ readonly require_flags?: boolean | null;
/** Caller ids */ readonly caller_id_options?: {
/** Caller id to send */ readonly type?: string | null;
readonly [key: string]: unknown;
} | null;
/** Order of the gateways */ readonly gateway_strategy?: string | null;
/** Seconds before the next carrier is tried in parallel */ readonly grace_period?: number | null;
/** Send the caller's realm in the From header */ readonly from_account_realm?: boolean | null;
/** Realm of the From header; overrides from_account_realm */ readonly from_uri_realm?: string | null;
/** Rewrite the From header */ readonly format_from_uri?: boolean | null;
/** Numbers that never use flat-rate trunks */ readonly flat_rate_blacklist?: string | null;
/** Numbers that may use flat-rate trunks */ readonly flat_rate_whitelist?: string | null;
/** Accept calls from the gateways' addresses without a password */ readonly peer?: boolean | null;
/** Template that it was created from */ readonly template_name?: string | null;
}
/** An outside line of the whole service */
export interface SystemCarrierInput {
/** Name */ readonly name: string;
/** Gateways of the carrier, tried in the order of gateway_strategy */ readonly gateways: readonly ({
/** Host or address of the carrier */ readonly server: string;
/** Port (default: 5060) */ readonly port?: number;
/** Name to sign in with */ readonly username?: string;
/** Password to sign in with */ readonly password?: string;
/** Realm to sign in at */ readonly realm?: string;
/** May be used (default: true) */ readonly enabled?: boolean;
/** Kind of line (default: "sip") */ readonly endpoint_type?: "sip" | "freetdm" | "skype" | "amqp" | (string & {});
/** Format of the numbers sent to the carrier (default: "route") */ readonly invite_format?: "route" | "username" | "e164" | "npan" | "1npan" | "strip_plus" | (string & {});
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Codecs, best first */ readonly codecs?: readonly ("G729" | "PCMU" | "PCMA" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "GSM" | "OPUS" | "H261" | "H263" | "H264" | "VP8" | (string & {}))[];
/** Caller id to send */ readonly caller_id_type?: "internal" | "external" | "emergency" | (string & {});
/** Audio bypasses the service */ readonly bypass_media?: boolean;
/** Accept calls from this port only (default: false) */ readonly force_port?: boolean;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Realm of the From header */ readonly from_uri_realm?: string;
/** Source address of calls, if it differs from the server */ readonly inbound_ip?: string;
/** Seconds to wait for ringing */ readonly progress_timeout?: number;
/** Register with the carrier */ readonly register?: boolean;
/** Fixed SIP address for every call */ readonly route?: string;
/** SIP headers to send, by name */ readonly custom_sip_headers?: { readonly [key: string]: unknown };
/** Outbound interface of the switch */ readonly custom_sip_interface?: string;
/** Parameters of the request URI */ readonly invite_parameters?: {
/** Names of properties of the call */ readonly dynamic?: readonly (unknown)[];
/** Static texts */ readonly static?: readonly (string)[];
readonly [key: string]: unknown;
};
/** Order in which channels of a line are used (default: "ascending") */ readonly channel_selection?: "ascending" | "descending" | (string & {});
/** Rotate among Skype accounts (default: true) */ readonly skype_rr?: boolean;
/** Media settings */ readonly media?: {
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Use one port for RTP and RTCP */ readonly rtcp_mux?: boolean;
readonly [key: string]: unknown;
};
readonly [key: string]: unknown;
})[];
/** May be used (default: true) */ readonly enabled?: boolean;
/** Weight: lower values are tried first (default: 50) */ readonly weight_cost?: number;
/** Carries emergency calls (default: false) */ readonly emergency?: boolean;
/** Regular expressions for dialed numbers; the first captured group is sent (default: []) */ readonly rules?: readonly (string)[];
/** Regular expressions for numbers of test calls (default: []) */ readonly rules_test?: readonly (string)[];
/** Regular expressions for the caller's number */ readonly cid_rules?: readonly (string)[];
/** Settings by number class, such as did_us; used instead of rules */ readonly classifiers?: { readonly [key: string]: {
/** May be used (default: true) */ readonly enabled?: boolean;
/** Carries emergency calls (default: false) */ readonly emergency?: boolean;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
/** Regular expression that replaces the one of the class */ readonly regex?: string;
/** Weight: lower values are tried first (default: 50) */ readonly weight_cost?: number;
} };
/** Flags that the carrier accepts (it skips calls with other flags) (default: []) */ readonly flags?: readonly (string)[];
/** Accept calls with any flags */ readonly ignore_flags?: boolean;
/** Skip calls without flags */ readonly require_flags?: boolean;
/** Caller ids */ readonly caller_id_options?: {
/** Caller id to send */ readonly type?: "internal" | "external" | "emergency" | (string & {});
readonly [key: string]: unknown;
};
/** Order of the gateways */ readonly gateway_strategy?: "sequential" | "random" | (string & {});
/** Seconds before the next carrier is tried in parallel (default: 5) */ readonly grace_period?: number;
/** Send the caller's realm in the From header (default: false) */ readonly from_account_realm?: boolean;
/** Realm of the From header; overrides from_account_realm */ readonly from_uri_realm?: string;
/** Rewrite the From header */ readonly format_from_uri?: boolean;
/** Numbers that never use flat-rate trunks */ readonly flat_rate_blacklist?: string;
/** Numbers that may use flat-rate trunks */ readonly flat_rate_whitelist?: string;
/** Accept calls from the gateways' addresses without a password */ readonly peer?: boolean;
/** Template that it was created from */ readonly template_name?: string;
}
/** An e-mail template */
export interface SystemNotificationRecord {
/** Name of the template, such as new_user */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Category: user, fax, voicemail, … */ readonly category?: string;
/** Name for people */ readonly friendly_name?: string;
/** Send these e-mails */ readonly enabled?: boolean;
/** Sender, which may contain macros */ readonly from?: string;
/** Address for replies */ readonly reply_to?: string;
/** Subject, which may contain macros */ readonly subject?: string;
/** Receivers */ readonly to?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a copy */ readonly cc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a blind copy */ readonly bcc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Character set */ readonly template_charset?: string;
/** Available macros, by name */ readonly macros?: { readonly [key: string]: {
/** Name */ readonly friendly_name?: string;
/** Meaning */ readonly description?: string;
readonly [key: string]: unknown;
} };
/** The account has its own version */ readonly account_overridden?: boolean;
/** The template exists only in this account */ readonly account_defined?: boolean;
/** Texts of the template, by content type */ readonly templates?: { readonly [key: string]: {
/** Size in bytes */ readonly length?: number;
} };
}
/** An e-mail template */
export interface SystemNotificationInput {
/** Name of the template, such as new_user */ readonly id?: string;
/** Category: user, fax, voicemail, … */ readonly category?: string;
/** Send these e-mails (default: true) */ readonly enabled?: boolean;
/** Sender, which may contain macros */ readonly from: string;
/** Address for replies */ readonly reply_to?: string;
/** Subject, which may contain macros */ readonly subject: string;
/** Receivers */ readonly to: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a copy */ readonly cc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Recipients of a blind copy */ readonly bcc?: {
/** original: whom it is about; admins: all administrators; specified: the addresses */ readonly type?: "original" | "specified" | "admins" | (string & {});
/** Addresses (only with type specified) */ readonly email_addresses?: readonly (string)[];
};
/** Character set (default: "utf-8") */ readonly template_charset?: string;
}
/** A task */
export interface TaskRecord {
/** Id */ readonly id: string;
/** The task, in a single record */ readonly _read_only?: {
/** Id */ readonly id?: string;
/** Account of the task */ readonly account_id?: string;
/** Account that requested it */ readonly auth_account_id?: string;
/** Category of the job */ readonly category?: string;
/** What it does */ readonly action?: string;
/** Name of the uploaded file */ readonly file_name?: string;
/** Time of the request, in Gregorian seconds */ readonly created?: number;
/** Start, in Gregorian seconds */ readonly start_timestamp?: number;
/** End, in Gregorian seconds */ readonly end_timestamp?: number;
/** Rows to process */ readonly total_count?: number;
/** Rows that succeeded */ readonly success_count?: number;
/** Rows that failed */ readonly failure_count?: number;
/** pending, executing, success, failure, partial, stopped, internal_error */ readonly status?: string;
/** Server that runs it */ readonly node?: string;
/** Its files: in.csv, out.csv */ readonly csvs?: readonly (string)[];
};
/** Account of the task */ readonly account_id?: string;
/** Account that requested it */ readonly auth_account_id?: string;
/** Category of the job */ readonly category?: string;
/** What it does */ readonly action?: string;
/** Name of the uploaded file */ readonly file_name?: string;
/** Time of the request, in Gregorian seconds */ readonly created?: number;
/** Start, in Gregorian seconds */ readonly start_timestamp?: number;
/** End, in Gregorian seconds */ readonly end_timestamp?: number;
/** Rows to process */ readonly total_count?: number;
/** Rows that succeeded */ readonly success_count?: number;
/** Rows that failed */ readonly failure_count?: number;
/** pending, executing, success, failure, partial, stopped, internal_error */ readonly status?: string;
/** Server that runs it */ readonly node?: string;
/** Its files: in.csv, out.csv */ readonly csvs?: readonly (string)[];
}
/** A temporal rule */
export interface TemporalRuleRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Recurrence of the rule; date means only the start date */ readonly cycle?: "date" | "daily" | "weekly" | "monthly" | "yearly" | (string & {});
/** Every n-th day, week, month or year, counted from the start date */ readonly interval?: number;
/** First day, in the time zone of the account */ readonly start_date?: number;
/** Start time of day (default: midnight) */ readonly time_window_start?: number;
/** End time of day (default: 24:00) */ readonly time_window_stop?: number;
/** Weekdays; an empty list means every day */ readonly wdays?: readonly ("monday" | "tuesday" | "wednesday" | "wensday" | "thursday" | "friday" | "saturday" | "sunday" | (string & {}))[];
/** Days of the month, in ascending order; they take precedence over weekdays */ readonly days?: readonly (number)[];
/** Occurrence of the weekday in the month */ readonly ordinal?: "every" | "first" | "second" | "third" | "fourth" | "fifth" | "last" | (string & {});
/** Month of a yearly rule, 1 to 12 */ readonly month?: number;
/** true matches always, false never; without it, the times decide */ readonly enabled?: boolean;
/** Purpose set by the program that created it */ readonly type?: string;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
}
/** A temporal rule */
export interface TemporalRuleChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Recurrence of the rule; date means only the start date */ readonly cycle?: string | null;
/** Every n-th day, week, month or year, counted from the start date */ readonly interval?: number | null;
/** First day, in the time zone of the account */ readonly start_date?: number | null;
/** Start time of day (default: midnight) */ readonly time_window_start?: number | null;
/** End time of day (default: 24:00) */ readonly time_window_stop?: number | null;
/** Weekdays; an empty list means every day */ readonly wdays?: readonly ("monday" | "tuesday" | "wednesday" | "wensday" | "thursday" | "friday" | "saturday" | "sunday" | (string & {}))[] | null;
/** Days of the month, in ascending order; they take precedence over weekdays */ readonly days?: readonly (number)[] | null;
/** Occurrence of the weekday in the month */ readonly ordinal?: string | null;
/** Month of a yearly rule, 1 to 12 */ readonly month?: number | null;
/** true matches always, false never; without it, the times decide */ readonly enabled?: boolean | null;
/** Purpose set by the program that created it */ readonly type?: string | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
}
/** A temporal rule */
export interface TemporalRuleInput {
/** Name */ readonly name: string;
/** Recurrence of the rule; date means only the start date */ readonly cycle: "date" | "daily" | "weekly" | "monthly" | "yearly" | (string & {});
/** Every n-th day, week, month or year, counted from the start date (default: 1) */ readonly interval?: number;
/** First day, in the time zone of the account (default: 62586115200) */ readonly start_date?: number;
/** Start time of day (default: midnight) */ readonly time_window_start?: number;
/** End time of day (default: 24:00) */ readonly time_window_stop?: number;
/** Weekdays; an empty list means every day */ readonly wdays?: readonly ("monday" | "tuesday" | "wednesday" | "wensday" | "thursday" | "friday" | "saturday" | "sunday" | (string & {}))[];
/** Days of the month, in ascending order; they take precedence over weekdays */ readonly days?: readonly (number)[];
/** Occurrence of the weekday in the month */ readonly ordinal?: "every" | "first" | "second" | "third" | "fourth" | "fifth" | "last" | (string & {});
/** Month of a yearly rule, 1 to 12 */ readonly month?: number;
/** true matches always, false never; without it, the times decide */ readonly enabled?: boolean;
/** Purpose set by the program that created it */ readonly type?: string;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
}
/** A set of temporal rules */
export interface TemporalRuleSetRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name */ readonly name: string;
/** Its rules, in the order of evaluation */ readonly temporal_rules?: readonly (string)[];
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Its rules, in lists */ readonly rules?: readonly (string)[];
}
/** A set of temporal rules */
export interface TemporalRuleSetChanges {
/** Id */ readonly id?: string | null;
/** Name */ readonly name?: string | null;
/** Its rules, in the order of evaluation */ readonly temporal_rules?: readonly (string)[] | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** Its rules, in lists */ readonly rules?: readonly (string)[] | null;
}
/** A set of temporal rules */
export interface TemporalRuleSetInput {
/** Name */ readonly name: string;
/** Its rules, in the order of evaluation */ readonly temporal_rules?: readonly (string)[];
/** Free labels to filter by */ readonly flags?: readonly (string)[];
}
/** Contents of a token */
export interface TokenRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** User */ readonly owner_id?: string;
/** Account */ readonly account_id?: string;
/** Account of its reseller */ readonly reseller_id?: string;
/** Name of the account */ readonly account_name?: string;
/** Language */ readonly language?: string;
/** Applications that the user can open */ readonly apps?: readonly (unknown)[];
/** Sign-in method of the token */ readonly method?: string;
/** The account is a reseller */ readonly is_reseller?: boolean;
/** The account is the top account of the service */ readonly is_master_account?: boolean;
/** Capabilities of the account */ readonly capabilities?: { readonly [key: string]: unknown };
/** Cluster of the service */ readonly cluster_id?: string;
/** Settings of web interfaces */ readonly ui_config?: { readonly [key: string]: unknown };
}
/** API requests allowed for tokens */
export interface TokenRestrictionRecord {
/** Id */ readonly id?: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** By module that signed in: cb_user_auth, cb_api_auth, _ for any */ readonly restrictions?: { readonly [key: string]: { readonly [key: string]: { readonly [key: string]: readonly ({
/** Accounts */ readonly allowed_accounts?: readonly (string)[];
/** Rules by path. / matches no arguments, * one, # any number */ readonly rules?: { readonly [key: string]: unknown };
})[] } } };
}
/** API requests allowed for tokens */
export interface TokenRestrictionInput {
/** By module that signed in: cb_user_auth, cb_api_auth, _ for any */ readonly restrictions?: { readonly [key: string]: { readonly [key: string]: { readonly [key: string]: readonly ({
/** Accounts */ readonly allowed_accounts?: readonly (string)[];
/** Rules by path. / matches no arguments, * one, # any number */ readonly rules?: { readonly [key: string]: unknown };
})[] } } };
}
/** A payment; refunds are negative */
export interface TransactionRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Amount in the currency of the account */ readonly amount?: number;
/** Purpose */ readonly description?: string;
/** Order that it belongs to */ readonly order_id?: string;
/** Data of the program that created it */ readonly metadata?: { readonly [key: string]: unknown };
/** pending, completed, failed … */ readonly status?: string;
/** Who made it */ readonly executor?: { readonly [key: string]: unknown };
/** Response of the bookkeeper */ readonly bookkeeper?: { readonly [key: string]: unknown };
/** Time of creation, in Gregorian seconds */ readonly created?: number;
}
/** A user */
export interface UserRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Name to sign in with, stored in lowercase */ readonly username?: string;
/** Password; a change ends all tokens of the user */ readonly password?: string;
/** Given name */ readonly first_name: string;
/** Family name */ readonly last_name: string;
/** E-mail address */ readonly email?: string;
/** Role in the account */ readonly priv_level?: "user" | "admin" | (string & {});
/** Allow the user to sign in and place calls */ readonly enabled?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Language, such as en-US */ readonly language?: string;
/** Number or name under which the user publishes presence */ readonly presence_id?: string;
/** Feature level of the user */ readonly feature_level?: string;
/** Require a new password at the next sign-in */ readonly require_password_update?: boolean;
/** E-mail address was verified */ readonly verified?: boolean;
/** Send voicemail by e-mail */ readonly vm_to_email_enabled?: boolean;
/** Call forwarding */ readonly call_forward?: {
/** Only forward direct calls, not those to a group */ readonly direct_calls_only?: boolean;
/** Forward calls */ readonly enabled?: boolean;
/** Only forward if no phone is reachable */ readonly failover?: boolean;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean;
/** Show the caller's number */ readonly keep_caller_id?: boolean;
/** Number to forward to */ readonly number?: string;
/** Ask the callee to press a key before connecting */ readonly require_keypress?: boolean;
/** Ring the number instead of the phones */ readonly substitute?: boolean;
};
/** Recording settings, by direction of the call */ readonly call_recording?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
};
/** Restrictions by class of the dialed number: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: {
/** deny refuses calls of the class, inherit uses the setting of the owner and the account */ readonly action?: "inherit" | "deny" | (string & {});
} };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** Caller id details to hide on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
};
/** Place in the contact list */ readonly contact_list?: {
/** Leave the user out */ readonly exclude?: boolean;
readonly [key: string]: unknown;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: { readonly [key: string]: readonly (string)[] | {
/** Purpose of the rule */ readonly description?: string;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
} };
/** Directories the user is in: directory id to callflow id */ readonly directories?: { readonly [key: string]: string };
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: unknown };
/** Hot desking */ readonly hotdesk?: {
/** Allow signing in on any phone */ readonly enabled?: boolean;
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
/** Encryption methods */ readonly methods?: readonly ("zrtp" | "srtp" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Support T.38 for faxes */ readonly fax_option?: boolean;
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
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Queues whose calls the user answers */ readonly queues?: readonly (string)[];
/** Personal details, as in a vCard */ readonly profile?: {
/** Addresses */ readonly addresses?: readonly ({
/** Address */ readonly address?: string;
/** Types: home, work, postal, … */ readonly types?: readonly ("dom" | "postal" | "intl" | "parcel" | "home" | "work" | "pref" | (string & {}))[];
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
/** Number of attempts */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between attempts */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each attempt */ readonly schedule?: readonly (number)[];
/** Seconds to ring */ readonly timeout_s?: number;
};
};
};
/** Enabled features */ readonly features?: readonly (string)[];
}
/** A user */
export interface UserChanges {
/** Id */ readonly id?: string | null;
/** Name to sign in with, stored in lowercase */ readonly username?: string | null;
/** Password; a change ends all tokens of the user */ readonly password?: string | null;
/** Given name */ readonly first_name?: string | null;
/** Family name */ readonly last_name?: string | null;
/** E-mail address */ readonly email?: string | null;
/** Role in the account */ readonly priv_level?: string | null;
/** Allow the user to sign in and place calls */ readonly enabled?: boolean | null;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string | null;
/** Language, such as en-US */ readonly language?: string | null;
/** Number or name under which the user publishes presence */ readonly presence_id?: string | null;
/** Feature level of the user */ readonly feature_level?: string | null;
/** Require a new password at the next sign-in */ readonly require_password_update?: boolean | null;
/** E-mail address was verified */ readonly verified?: boolean | null;
/** Send voicemail by e-mail */ readonly vm_to_email_enabled?: boolean | null;
/** Call forwarding */ readonly call_forward?: {
/** Only forward direct calls, not those to a group */ readonly direct_calls_only?: boolean | null;
/** Forward calls */ readonly enabled?: boolean | null;
/** Only forward if no phone is reachable */ readonly failover?: boolean | null;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean | null;
/** Show the caller's number */ readonly keep_caller_id?: boolean | null;
/** Number to forward to */ readonly number?: string | null;
/** Ask the callee to press a key before connecting */ readonly require_keypress?: boolean | null;
/** Ring the number instead of the phones */ readonly substitute?: boolean | null;
} | null;
/** Recording settings, by direction of the call */ readonly call_recording?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean | null;
/** File format of the recording */ readonly format?: string | null;
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number | null;
/** Start when the call is answered */ readonly record_on_answer?: boolean | null;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean | null;
/** Sample rate in hertz */ readonly record_sample_rate?: number | null;
/** Stop after this many seconds */ readonly time_limit?: number | null;
/** URL that receives the recording */ readonly url?: string | null;
} | null;
} | null;
} | null;
/** Restrictions by class of the dialed number: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: {
/** deny refuses calls of the class, inherit uses the setting of the owner and the account */ readonly action?: string | null;
} | null } | null;
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
/** Realm of the asserted identity */ readonly realm?: string | null;
} | null;
/** Shown on emergency calls */ readonly emergency?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
} | null;
/** Shown outside the account */ readonly external?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
} | null;
/** Shown inside the account */ readonly internal?: {
/** Name to show */ readonly name?: string | null;
/** Number to show */ readonly number?: string | null;
} | null;
} | null;
/** Caller id options */ readonly caller_id_options?: {
/** Caller id details to hide on outbound calls */ readonly outbound_privacy?: string | null;
} | null;
/** Place in the contact list */ readonly contact_list?: {
/** Leave the user out */ readonly exclude?: boolean | null;
readonly [key: string]: unknown;
} | null;
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: { readonly [key: string]: readonly (string)[] | null | {
/** Purpose of the rule */ readonly description?: string | null;
/** Digits added before the number */ readonly prefix?: string | null;
/** Digits added after the number */ readonly suffix?: string | null;
} | null } | null;
/** Directories the user is in: directory id to callflow id */ readonly directories?: { readonly [key: string]: string | null } | null;
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean | null;
} | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** Formatters by field */ readonly formatters?: { readonly [key: string]: unknown } | null;
/** Hot desking */ readonly hotdesk?: {
/** Allow signing in on any phone */ readonly enabled?: boolean | null;
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
/** Encryption methods */ readonly methods?: readonly ("zrtp" | "srtp" | (string & {}))[] | null;
readonly [key: string]: unknown;
} | null;
/** Support T.38 for faxes */ readonly fax_option?: boolean | null;
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
/** Leg that can dial */ readonly listen_on?: string | null;
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown } | null;
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown } | null;
} | null;
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string | null;
readonly [key: string]: unknown;
} | null;
/** Queues whose calls the user answers */ readonly queues?: readonly (string)[] | null;
/** Personal details, as in a vCard */ readonly profile?: {
/** Addresses */ readonly addresses?: readonly ({
/** Address */ readonly address?: string;
/** Types: home, work, postal, … */ readonly types?: readonly ("dom" | "postal" | "intl" | "parcel" | "home" | "work" | "pref" | (string & {}))[];
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
/** Number of attempts */ readonly attempts?: number | null;
/** Do not call back */ readonly disabled?: boolean | null;
/** Seconds between attempts */ readonly interval_s?: number | null;
/** Number to call */ readonly number?: string | null;
/** Seconds to wait before each attempt */ readonly schedule?: readonly (number)[] | null;
/** Seconds to ring */ readonly timeout_s?: number | null;
} | null;
} | null;
} | null;
/** Enabled features */ readonly features?: readonly (string)[] | null;
}
/** A user */
export interface UserInput {
/** Name to sign in with, stored in lowercase */ readonly username?: string;
/** Password; a change ends all tokens of the user */ readonly password?: string;
/** Given name */ readonly first_name: string;
/** Family name */ readonly last_name: string;
/** E-mail address */ readonly email?: string;
/** Role in the account (default: "user") */ readonly priv_level?: "user" | "admin" | (string & {});
/** Allow the user to sign in and place calls (default: true) */ readonly enabled?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Language, such as en-US */ readonly language?: string;
/** Number or name under which the user publishes presence */ readonly presence_id?: string;
/** Feature level of the user */ readonly feature_level?: string;
/** Require a new password at the next sign-in (default: false) */ readonly require_password_update?: boolean;
/** E-mail address was verified (default: false) */ readonly verified?: boolean;
/** Send voicemail by e-mail (default: true) */ readonly vm_to_email_enabled?: boolean;
/** Call forwarding */ readonly call_forward?: {
/** Only forward direct calls, not those to a group (default: false) */ readonly direct_calls_only?: boolean;
/** Forward calls (default: false) */ readonly enabled?: boolean;
/** Only forward if no phone is reachable (default: false) */ readonly failover?: boolean;
/** Ignore media before the answer (default: true) */ readonly ignore_early_media?: boolean;
/** Show the caller's number (default: true) */ readonly keep_caller_id?: boolean;
/** Number to forward to */ readonly number?: string;
/** Ask the callee to press a key before connecting (default: true) */ readonly require_keypress?: boolean;
/** Ring the number instead of the phones (default: true) */ readonly substitute?: boolean;
};
/** Recording settings, by direction of the call */ readonly call_recording?: {
/** Recording settings, by origin of the call */ readonly any?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly inbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
/** Recording settings, by origin of the call */ readonly outbound?: {
/** Recording settings */ readonly any?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly offnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
/** Recording settings */ readonly onnet?: {
/** Record calls */ readonly enabled?: boolean;
/** File format of the recording */ readonly format?: "mp3" | "wav" | (string & {});
/** Keep recordings of at least this many seconds */ readonly record_min_sec?: number;
/** Start when the call is answered */ readonly record_on_answer?: boolean;
/** Start when two legs are bridged */ readonly record_on_bridge?: boolean;
/** Sample rate in hertz */ readonly record_sample_rate?: number;
/** Stop after this many seconds */ readonly time_limit?: number;
/** URL that receives the recording */ readonly url?: string;
};
};
};
/** Restrictions by class of the dialed number: action inherit or deny */ readonly call_restriction?: { readonly [key: string]: {
/** deny refuses calls of the class, inherit uses the setting of the owner and the account */ readonly action?: "inherit" | "deny" | (string & {});
} };
/** Call waiting */ readonly call_waiting?: {
/** On or off */ readonly enabled?: boolean;
};
/** Caller id by destination */ readonly caller_id?: {
/** Asserted identity */ readonly asserted?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
/** Realm of the asserted identity */ readonly realm?: string;
};
/** Shown on emergency calls */ readonly emergency?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown outside the account */ readonly external?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
/** Shown inside the account */ readonly internal?: {
/** Name to show */ readonly name?: string;
/** Number to show */ readonly number?: string;
};
};
/** Caller id options */ readonly caller_id_options?: {
/** Caller id details to hide on outbound calls */ readonly outbound_privacy?: "full" | "name" | "number" | "none" | (string & {});
};
/** Place in the contact list */ readonly contact_list?: {
/** Leave the user out */ readonly exclude?: boolean;
readonly [key: string]: unknown;
};
/** Rules that rewrite dialled numbers; keys other than "system" are regular expressions */ readonly dial_plan?: { readonly [key: string]: readonly (string)[] | {
/** Purpose of the rule */ readonly description?: string;
/** Digits added before the number */ readonly prefix?: string;
/** Digits added after the number */ readonly suffix?: string;
} };
/** Directories the user is in: directory id to callflow id */ readonly directories?: { readonly [key: string]: string };
/** Do not disturb */ readonly do_not_disturb?: {
/** On or off */ readonly enabled?: boolean;
};
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Formatters by field */ readonly formatters?: { readonly [key: string]: unknown };
/** Hot desking */ readonly hotdesk?: {
/** Allow signing in on any phone (default: false) */ readonly enabled?: boolean;
/** Number to sign in with */ readonly id?: string;
/** Stay signed in on other phones (default: false) */ readonly keep_logged_in_elsewhere?: boolean;
/** PIN to sign in with */ readonly pin?: string;
/** Ask for the PIN (default: false) */ readonly require_pin?: boolean;
readonly [key: string]: unknown;
};
/** Media settings */ readonly media?: {
/** Audio settings */ readonly audio?: {
/** Codecs, best first */ readonly codecs?: readonly ("OPUS" | "CELT@32000h" | "G7221@32000h" | "G7221@16000h" | "G722" | "speex@32000h" | "speex@16000h" | "PCMU" | "PCMA" | "G729" | "GSM" | "CELT@48000h" | "CELT@64000h" | "G722_16" | "G722_32" | "CELT_48" | "CELT_64" | "Speex" | "speex" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Let media flow directly between endpoints */ readonly bypass_media?: boolean | string;
/** Encryption settings (default: {}) */ readonly encryption?: {
/** Refuse calls that are not encrypted (default: false) */ readonly enforce_security?: boolean;
/** Encryption methods (default: []) */ readonly methods?: readonly ("zrtp" | "srtp" | (string & {}))[];
readonly [key: string]: unknown;
};
/** Support T.38 for faxes */ readonly fax_option?: boolean;
/** Ignore media before the answer */ readonly ignore_early_media?: boolean;
/** Seconds to wait for progress */ readonly progress_timeout?: number;
/** Video settings (default: {}) */ readonly video?: {
/** Codecs, best first (default: []) */ readonly codecs?: readonly ("H261" | "H263" | "H264" | "VP8" | (string & {}))[];
readonly [key: string]: unknown;
};
};
/** What callers can dial during a call */ readonly metaflows?: {
/** Key that starts a metaflow (default: "*") */ readonly binding_digit?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "0" | "*" | "#" | (string & {});
/** Wait for the next digit, in milliseconds */ readonly digit_timeout?: number;
/** Leg that can dial */ readonly listen_on?: "both" | "self" | "peer" | (string & {});
/** Flows by dialed number */ readonly numbers?: { readonly [key: string]: unknown };
/** Flows by regular expression */ readonly patterns?: { readonly [key: string]: unknown };
};
/** Music on hold */ readonly music_on_hold?: {
/** Media id */ readonly media_id?: string;
readonly [key: string]: unknown;
};
/** Queues whose calls the user answers */ readonly queues?: readonly (string)[];
/** Personal details, as in a vCard */ readonly profile?: {
/** Addresses */ readonly addresses?: readonly ({
/** Address */ readonly address?: string;
/** Types: home, work, postal, … */ readonly types?: readonly ("dom" | "postal" | "intl" | "parcel" | "home" | "work" | "pref" | (string & {}))[];
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
/** Number of attempts */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between attempts */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each attempt */ readonly schedule?: readonly (number)[];
/** Seconds to ring */ readonly timeout_s?: number;
};
};
};
}
/** A voicemail box */
export interface VmboxRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Number of the mailbox */ readonly mailbox: string;
/** Name */ readonly name: string;
/** Play a greeting without taking messages */ readonly announcement_only?: boolean;
/** Owner's call goes to the messages */ readonly check_if_owner?: boolean;
/** Delete a message after it is sent */ readonly delete_after_notify?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Attach the recording */ readonly include_message_on_notify?: boolean;
/** Attach the transcription */ readonly include_transcription_on_notify?: boolean;
/** The owner has set up the mailbox */ readonly is_setup?: boolean;
/** Allow the owner to fast-forward and rewind */ readonly is_voicemail_ff_rw_enabled?: boolean;
/** Greetings */ readonly media?: {
/** Media id of the greeting */ readonly unavailable?: string;
readonly [key: string]: unknown;
};
/** File format of the messages */ readonly media_extension?: "mp3" | "mp4" | "wav" | (string & {});
/** Prevent the owner from changing settings */ readonly not_configurable?: boolean;
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** Number of attempts */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between attempts */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each attempt */ readonly schedule?: readonly (number)[];
/** Seconds to ring */ readonly timeout_s?: number;
};
};
/** E-mail addresses to notify of a new message */ readonly notify_email_addresses?: readonly (string)[];
/** Play the oldest message first */ readonly oldest_message_first?: boolean;
/** Number of the operator that callers can reach instead */ readonly operator_number?: number | string;
/** User who owns it */ readonly owner_id?: string;
/** PIN of the box */ readonly pin?: string;
/** Ask for the PIN */ readonly require_pin?: boolean;
/** Save a message after it is sent */ readonly save_after_notify?: boolean;
/** Length of a fast-forward or rewind, in milliseconds */ readonly seek_duration_ms?: number;
/** Skip the date and the number */ readonly skip_envelope?: boolean;
/** Skip the greeting */ readonly skip_greeting?: boolean;
/** Skip the instructions */ readonly skip_instructions?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Transcribe messages */ readonly transcribe?: boolean;
/** Number of messages */ readonly messages?: number;
/** Number of new and saved messages */ readonly folders?: { readonly [key: string]: unknown };
}
/** A voicemail box */
export interface VmboxChanges {
/** Id */ readonly id?: string | null;
/** Number of the mailbox */ readonly mailbox?: string | null;
/** Name */ readonly name?: string | null;
/** Play a greeting without taking messages */ readonly announcement_only?: boolean | null;
/** Owner's call goes to the messages */ readonly check_if_owner?: boolean | null;
/** Delete a message after it is sent */ readonly delete_after_notify?: boolean | null;
/** Free labels to filter by */ readonly flags?: readonly (string)[] | null;
/** Attach the recording */ readonly include_message_on_notify?: boolean | null;
/** Attach the transcription */ readonly include_transcription_on_notify?: boolean | null;
/** The owner has set up the mailbox */ readonly is_setup?: boolean | null;
/** Allow the owner to fast-forward and rewind */ readonly is_voicemail_ff_rw_enabled?: boolean | null;
/** Greetings */ readonly media?: {
/** Media id of the greeting */ readonly unavailable?: string | null;
readonly [key: string]: unknown;
} | null;
/** File format of the messages */ readonly media_extension?: string | null;
/** Prevent the owner from changing settings */ readonly not_configurable?: boolean | null;
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** Number of attempts */ readonly attempts?: number | null;
/** Do not call back */ readonly disabled?: boolean | null;
/** Seconds between attempts */ readonly interval_s?: number | null;
/** Number to call */ readonly number?: string | null;
/** Seconds to wait before each attempt */ readonly schedule?: readonly (number)[] | null;
/** Seconds to ring */ readonly timeout_s?: number | null;
} | null;
} | null;
/** E-mail addresses to notify of a new message */ readonly notify_email_addresses?: readonly (string)[] | null;
/** Play the oldest message first */ readonly oldest_message_first?: boolean | null;
/** Number of the operator that callers can reach instead */ readonly operator_number?: number | string | null;
/** User who owns it */ readonly owner_id?: string | null;
/** PIN of the box */ readonly pin?: string | null;
/** Ask for the PIN */ readonly require_pin?: boolean | null;
/** Save a message after it is sent */ readonly save_after_notify?: boolean | null;
/** Length of a fast-forward or rewind, in milliseconds */ readonly seek_duration_ms?: number | null;
/** Skip the date and the number */ readonly skip_envelope?: boolean | null;
/** Skip the greeting */ readonly skip_greeting?: boolean | null;
/** Skip the instructions */ readonly skip_instructions?: boolean | null;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string | null;
/** Transcribe messages */ readonly transcribe?: boolean | null;
/** Number of messages */ readonly messages?: number | null;
/** Number of new and saved messages */ readonly folders?: { readonly [key: string]: unknown } | null;
}
/** A voicemail box */
export interface VmboxInput {
/** Number of the mailbox */ readonly mailbox: string;
/** Name */ readonly name: string;
/** Play a greeting without taking messages (default: false) */ readonly announcement_only?: boolean;
/** Owner's call goes to the messages (default: true) */ readonly check_if_owner?: boolean;
/** Delete a message after it is sent (default: false) */ readonly delete_after_notify?: boolean;
/** Free labels to filter by */ readonly flags?: readonly (string)[];
/** Attach the recording (default: true) */ readonly include_message_on_notify?: boolean;
/** Attach the transcription (default: true) */ readonly include_transcription_on_notify?: boolean;
/** The owner has set up the mailbox (default: false) */ readonly is_setup?: boolean;
/** Allow the owner to fast-forward and rewind (default: false) */ readonly is_voicemail_ff_rw_enabled?: boolean;
/** Greetings */ readonly media?: {
/** Media id of the greeting */ readonly unavailable?: string;
readonly [key: string]: unknown;
};
/** File format of the messages (default: "mp3") */ readonly media_extension?: "mp3" | "mp4" | "wav" | (string & {});
/** Prevent the owner from changing settings (default: false) */ readonly not_configurable?: boolean;
/** Notifications about a new message */ readonly notify?: {
/** Call back about a new message */ readonly callback?: {
/** Number of attempts */ readonly attempts?: number;
/** Do not call back */ readonly disabled?: boolean;
/** Seconds between attempts */ readonly interval_s?: number;
/** Number to call */ readonly number?: string;
/** Seconds to wait before each attempt */ readonly schedule?: readonly (number)[];
/** Seconds to ring */ readonly timeout_s?: number;
};
};
/** E-mail addresses to notify of a new message */ readonly notify_email_addresses?: readonly (string)[];
/** Play the oldest message first (default: false) */ readonly oldest_message_first?: boolean;
/** Number of the operator that callers can reach instead */ readonly operator_number?: number | string;
/** User who owns it */ readonly owner_id?: string;
/** PIN of the box */ readonly pin?: string;
/** Ask for the PIN (default: false) */ readonly require_pin?: boolean;
/** Save a message after it is sent (default: false) */ readonly save_after_notify?: boolean;
/** Length of a fast-forward or rewind, in milliseconds (default: 10000) */ readonly seek_duration_ms?: number;
/** Skip the date and the number (default: false) */ readonly skip_envelope?: boolean;
/** Skip the greeting (default: false) */ readonly skip_greeting?: boolean;
/** Skip the instructions (default: false) */ readonly skip_instructions?: boolean;
/** Time zone, such as Europe/Zurich */ readonly timezone?: string;
/** Transcribe messages (default: false) */ readonly transcribe?: boolean;
}
/** A subscription to events */
export interface WebhookRecord {
/** Id */ readonly id: string;
/** Facts that the service adds */ readonly _read_only?: { readonly [key: string]: unknown };
/** Friendly name */ readonly name: string;
/** Endpoint that receives the events */ readonly uri: string;
/** Event to subscribe to */ readonly hook: "channel_create" | "channel_answer" | "channel_destroy" | "channel_bridge" | "sms" | "notifications" | "fax" | "object" | "all" | (string & {});
/** Method of the requests */ readonly http_verb?: "get" | "post" | "put";
/** Body of the requests */ readonly format?: "form-data" | "json";
/** Number of retries after a failure */ readonly retries?: number;
/** Deliver events */ readonly enabled?: boolean;
/** Include events of accounts below */ readonly include_subaccounts?: boolean;
/** Properties merged into every payload, such as a shared secret */ readonly custom_data?: { readonly [key: string]: unknown };
/** Include events of loop-back legs */ readonly include_internal_legs?: boolean;
/** Only events with these values */ readonly modifiers?: { readonly [key: string]: unknown };
/** Reason why the service disabled it */ readonly disable_reason?: string;
}
/** A subscription to events */
export interface WebhookChanges {
/** Id */ readonly id?: string | null;
/** Friendly name */ readonly name?: string | null;
/** Endpoint that receives the events */ readonly uri?: string | null;
/** Event to subscribe to */ readonly hook?: string | null;
/** Method of the requests */ readonly http_verb?: string | null;
/** Body of the requests */ readonly format?: string | null;
/** Number of retries after a failure */ readonly retries?: number | null;
/** Deliver events */ readonly enabled?: boolean | null;
/** Include events of accounts below */ readonly include_subaccounts?: boolean | null;
/** Properties merged into every payload, such as a shared secret */ readonly custom_data?: { readonly [key: string]: unknown } | null;
/** Include events of loop-back legs */ readonly include_internal_legs?: boolean | null;
/** Only events with these values */ readonly modifiers?: { readonly [key: string]: unknown } | null;
/** Reason why the service disabled it */ readonly disable_reason?: string | null;
}
/** A subscription to events */
export interface WebhookInput {
/** Friendly name */ readonly name: string;
/** Endpoint that receives the events */ readonly uri: string;
/** Event to subscribe to */ readonly hook: "channel_create" | "channel_answer" | "channel_destroy" | "channel_bridge" | "sms" | "notifications" | "fax" | "object" | "all" | (string & {});
/** Method of the requests (default: "post") */ readonly http_verb?: "get" | "post" | "put";
/** Body of the requests (default: "form-data") */ readonly format?: "form-data" | "json";
/** Number of retries after a failure (default: 2) */ readonly retries?: number;
/** Deliver events (default: true) */ readonly enabled?: boolean;
/** Include events of accounts below (default: false) */ readonly include_subaccounts?: boolean;
/** Properties merged into every payload, such as a shared secret */ readonly custom_data?: { readonly [key: string]: unknown };
/** Include events of loop-back legs (default: true) */ readonly include_internal_legs?: boolean;
/** Only events with these values */ readonly modifiers?: { readonly [key: string]: unknown };
}
/** Payloads of webhooks by hook, as compatible services send them; keys of `custom_data` stand there, too. */
export interface WebhookPayloads {
/** A call leg starts. */ readonly channel_create: {
readonly hook_event?: string;
readonly account_id: string;
readonly reseller_id?: string;
readonly owner_id?: string;
readonly authorizing_id?: string;
readonly authorizing_type?: string;
readonly call_id?: string;
readonly other_leg_call_id?: string;
readonly call_direction?: string;
readonly call_forwarded?: boolean;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly from?: string;
readonly to?: string;
readonly request?: string;
readonly inception?: string;
readonly is_internal_leg?: boolean;
readonly local_resource_used?: boolean;
readonly emergency_resource_used?: boolean;
readonly custom_channel_vars?: { readonly [key: string]: unknown };
readonly custom_application_vars?: { readonly [key: string]: unknown };
readonly timestamp?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
};
/** A call leg answers. */ readonly channel_answer: {
readonly hook_event?: string;
readonly account_id: string;
readonly reseller_id?: string;
readonly owner_id?: string;
readonly authorizing_id?: string;
readonly authorizing_type?: string;
readonly call_id?: string;
readonly other_leg_call_id?: string;
readonly call_direction?: string;
readonly call_forwarded?: boolean;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly from?: string;
readonly to?: string;
readonly request?: string;
readonly inception?: string;
readonly is_internal_leg?: boolean;
readonly local_resource_used?: boolean;
readonly emergency_resource_used?: boolean;
readonly custom_channel_vars?: { readonly [key: string]: unknown };
readonly custom_application_vars?: { readonly [key: string]: unknown };
readonly timestamp?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
};
/** A call leg ends. */ readonly channel_destroy: {
readonly hook_event?: string;
readonly account_id: string;
readonly reseller_id?: string;
readonly owner_id?: string;
readonly authorizing_id?: string;
readonly authorizing_type?: string;
readonly call_id?: string;
readonly other_leg_call_id?: string;
readonly call_direction?: string;
readonly call_forwarded?: boolean;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly from?: string;
readonly to?: string;
readonly request?: string;
readonly inception?: string;
readonly is_internal_leg?: boolean;
readonly local_resource_used?: boolean;
readonly emergency_resource_used?: boolean;
readonly custom_channel_vars?: { readonly [key: string]: unknown };
readonly custom_application_vars?: { readonly [key: string]: unknown };
readonly timestamp?: string;
readonly hangup_cause?: string;
readonly hangup_code?: string;
readonly duration_seconds?: number;
readonly ringing_seconds?: number;
readonly billing_seconds?: number;
readonly cluster_id?: string;
readonly [key: string]: unknown;
};
/** Two legs bridge. */ readonly channel_bridge: {
readonly hook_event?: string;
readonly account_id: string;
readonly reseller_id?: string;
readonly owner_id?: string;
readonly authorizing_id?: string;
readonly authorizing_type?: string;
readonly call_id?: string;
readonly other_leg_call_id?: string;
readonly call_direction?: string;
readonly call_forwarded?: boolean;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly from?: string;
readonly to?: string;
readonly request?: string;
readonly inception?: string;
readonly is_internal_leg?: boolean;
readonly local_resource_used?: boolean;
readonly emergency_resource_used?: boolean;
readonly custom_channel_vars?: { readonly [key: string]: unknown };
readonly custom_application_vars?: { readonly [key: string]: unknown };
readonly timestamp?: string;
readonly original_number?: string;
readonly other_leg_destination_number?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
};
/** An SMS is created (announced as coming soon). */ readonly sms: {
readonly id?: string;
readonly account_id: string;
readonly type?: string;
readonly from?: string;
readonly to?: string;
readonly body?: string;
readonly origin?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
};
/** A notification event is published. */ readonly notifications: {
readonly event_category?: string;
readonly event_name: "account_zone_change";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly zones?: { readonly [key: string]: unknown };
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "bill_reminder";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly due_date?: number;
readonly items?: readonly (unknown)[];
readonly payment_token?: { readonly [key: string]: unknown };
readonly timestamp?: number;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "cf_notification";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly call_bridged?: boolean;
readonly call_id?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly comments?: string;
readonly from_realm?: string;
readonly from_user?: string;
readonly message_left?: boolean;
readonly notification_media?: readonly (unknown)[];
readonly notify?: { readonly [key: string]: unknown };
readonly template_id?: string;
readonly timestamp?: number;
readonly to?: string;
readonly to_realm?: string;
readonly to_user?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "cnam_request";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly acquired_for?: string;
readonly cnam?: { readonly [key: string]: unknown };
readonly local_number?: boolean;
readonly number?: string;
readonly number_state?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "customer_update";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly databag?: { readonly [key: string]: unknown };
readonly recipient_id?: string;
readonly template_id?: string;
readonly user_type?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "denied_emergency_bridge";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly call_id?: string;
readonly emergency_caller_id_name?: string;
readonly emergency_caller_id_number?: string;
readonly outbound_caller_id_name?: string;
readonly outbound_caller_id_number?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "deregister";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_db?: string;
readonly account_id: string;
readonly authorizing_id?: string;
readonly call_id?: string;
readonly contact?: string;
readonly event_timestamp?: number;
readonly expires?: number;
readonly freeswitch_hostname?: string;
readonly from_host?: string;
readonly from_user?: string;
readonly network_ip?: string;
readonly network_port?: number;
readonly presence_hosts?: string;
readonly profile_name?: string;
readonly realm?: string;
readonly rpid?: string;
readonly status?: string;
readonly suppress_unregister_notify?: boolean;
readonly to_host?: string;
readonly to_user?: string;
readonly user_agent?: string;
readonly username?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "first_occurrence";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly occurrence?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "inbound_fax";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly call_id?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly fax_id?: string;
readonly fax_info?: { readonly [key: string]: unknown };
readonly fax_notifications?: { readonly [key: string]: unknown };
readonly fax_timestamp?: number;
readonly faxbox_id?: string;
readonly from_realm?: string;
readonly from_user?: string;
readonly owner_id?: string;
readonly to_realm?: string;
readonly to_user?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "inbound_fax_error";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly call_id?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly fax_id?: string;
readonly fax_info?: { readonly [key: string]: unknown };
readonly fax_notifications?: { readonly [key: string]: unknown };
readonly fax_timestamp?: number;
readonly faxbox_id?: string;
readonly from_realm?: string;
readonly from_user?: string;
readonly owner_id?: string;
readonly to_realm?: string;
readonly to_user?: string;
readonly fax_error?: string;
readonly fax_result_code?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "low_balance";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly current_balance?: number;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "missed_call";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly call_bridged?: boolean;
readonly call_id?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly from_realm?: string;
readonly from_user?: string;
readonly message_left?: boolean;
readonly notify?: { readonly [key: string]: unknown };
readonly timestamp?: number;
readonly to?: string;
readonly to_realm?: string;
readonly to_user?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "new_account";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_api_key?: string;
readonly account_db?: string;
readonly account_id: string;
readonly account_name?: string;
readonly account_realm?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "new_user";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly password?: string;
readonly user_id?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "outbound_fax";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_db?: string;
readonly account_id: string;
readonly call_id?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly fax_id?: string;
readonly fax_info?: { readonly [key: string]: unknown };
readonly fax_jobid?: string;
readonly fax_notifications?: { readonly [key: string]: unknown };
readonly fax_timestamp?: number;
readonly fax_timezone?: string;
readonly faxbox_id?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "outbound_fax_error";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_db?: string;
readonly account_id: string;
readonly call_id?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly fax_id?: string;
readonly fax_info?: { readonly [key: string]: unknown };
readonly fax_jobid?: string;
readonly fax_notifications?: { readonly [key: string]: unknown };
readonly fax_timestamp?: number;
readonly fax_timezone?: string;
readonly faxbox_id?: string;
readonly fax_error?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "outbound_smtp_fax_error";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly errors?: readonly (unknown)[];
readonly fax_from_email?: string;
readonly fax_to_email?: string;
readonly faxbox_id?: string;
readonly faxbox_name?: string;
readonly faxbox_timezone?: string;
readonly number?: string;
readonly original_number?: string;
readonly owner_id?: string;
readonly timestamp?: number;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "password_recovery";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_db?: string;
readonly account_id: string;
readonly email?: string;
readonly first_name?: string;
readonly last_name?: string;
readonly password_reset_link?: string;
readonly timezone?: string;
readonly user_id?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "port_cancel";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly authorized_by?: string;
readonly local_number?: boolean;
readonly number?: string;
readonly number_state?: string;
readonly port?: { readonly [key: string]: unknown };
readonly port_request_id?: string;
readonly reason?: string;
readonly version?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "port_comment";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly authorized_by?: string;
readonly local_number?: boolean;
readonly number?: string;
readonly number_state?: string;
readonly port?: { readonly [key: string]: unknown };
readonly port_request_id?: string;
readonly comment?: { readonly [key: string]: unknown };
readonly version?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "port_pending";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly authorized_by?: string;
readonly local_number?: boolean;
readonly number?: string;
readonly number_state?: string;
readonly port?: { readonly [key: string]: unknown };
readonly port_request_id?: string;
readonly reason?: string;
readonly version?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "port_rejected";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly authorized_by?: string;
readonly local_number?: boolean;
readonly number?: string;
readonly number_state?: string;
readonly port?: { readonly [key: string]: unknown };
readonly port_request_id?: string;
readonly reason?: string;
readonly version?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "port_request";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly authorized_by?: string;
readonly local_number?: boolean;
readonly number?: string;
readonly number_state?: string;
readonly port?: { readonly [key: string]: unknown };
readonly port_request_id?: string;
readonly version?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "port_scheduled";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly authorized_by?: string;
readonly local_number?: boolean;
readonly number?: string;
readonly number_state?: string;
readonly port?: { readonly [key: string]: unknown };
readonly port_request_id?: string;
readonly reason?: string;
readonly version?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "port_unconfirmed";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly authorized_by?: string;
readonly local_number?: boolean;
readonly number?: string;
readonly number_state?: string;
readonly port?: { readonly [key: string]: unknown };
readonly port_request_id?: string;
readonly reason?: string;
readonly version?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "ported";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly authorized_by?: string;
readonly local_number?: boolean;
readonly number?: string;
readonly number_state?: string;
readonly port?: { readonly [key: string]: unknown };
readonly port_request_id?: string;
readonly reason?: string;
readonly version?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "register";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_db?: string;
readonly account_id: string;
readonly authorizing_id?: string;
readonly authorizing_type?: string;
readonly call_id?: string;
readonly contact?: string;
readonly event_timestamp?: number;
readonly expires?: number;
readonly from_host?: string;
readonly from_user?: string;
readonly network_ip?: string;
readonly network_port?: number;
readonly owner_id?: string;
readonly realm?: string;
readonly suppress_unregister_notify?: boolean;
readonly to_host?: string;
readonly to_user?: string;
readonly user_agent?: string;
readonly username?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "service_added";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly audit_log?: { readonly [key: string]: unknown };
readonly items?: readonly (unknown)[];
readonly timestamp?: number;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "system_alert";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly details?: { readonly [key: string]: unknown };
readonly message?: string;
readonly module?: string;
readonly pid?: string;
readonly request_id?: string;
readonly subject?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "topup";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly add_ons?: readonly (unknown)[];
readonly amount?: number;
readonly billing_address?: { readonly [key: string]: unknown };
readonly card_last_four?: string;
readonly currency_code?: string;
readonly date?: number;
readonly discounts?: readonly (unknown)[];
readonly id?: string;
readonly purchase_order?: string;
readonly response?: { readonly [key: string]: unknown };
readonly success?: boolean;
readonly tax_amount?: number;
readonly timestamp?: number;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "transaction";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly add_ons?: readonly (unknown)[];
readonly amount?: number;
readonly billing_address?: { readonly [key: string]: unknown };
readonly card_last_four?: string;
readonly currency_code?: string;
readonly date?: number;
readonly discounts?: readonly (unknown)[];
readonly id?: string;
readonly purchase_order?: string;
readonly response?: { readonly [key: string]: unknown };
readonly success?: boolean;
readonly tax_amount?: number;
readonly timestamp?: number;
readonly service_plan?: { readonly [key: string]: unknown };
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "voicemail_full";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly max_message_count?: number;
readonly message_count?: number;
readonly voicemail_box?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "voicemail_new";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly call_id?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly from_realm?: string;
readonly from_user?: string;
readonly to_realm?: string;
readonly to_user?: string;
readonly voicemail_box?: string;
readonly voicemail_id?: string;
readonly voicemail_length?: number;
readonly voicemail_timestamp?: number;
readonly voicemail_transcription?: { readonly [key: string]: unknown };
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "voicemail_saved";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly call_id?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly from_realm?: string;
readonly from_user?: string;
readonly to_realm?: string;
readonly to_user?: string;
readonly voicemail_box?: string;
readonly voicemail_id?: string;
readonly voicemail_length?: number;
readonly voicemail_timestamp?: number;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "webhook";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_db?: string;
readonly account_id: string;
readonly data?: { readonly [key: string]: unknown };
readonly hook?: { readonly [key: string]: unknown };
readonly timestamp?: number;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "webhook_disabled";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly hook_id?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
};
/** A fax status or object changes. */ readonly fax: {
readonly event_category?: string;
readonly event_name: "inbound_fax";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_id: string;
readonly call_id?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly fax_id?: string;
readonly fax_info?: { readonly [key: string]: unknown };
readonly fax_notifications?: { readonly [key: string]: unknown };
readonly fax_timestamp?: number;
readonly faxbox_id?: string;
readonly from_realm?: string;
readonly from_user?: string;
readonly owner_id?: string;
readonly to_realm?: string;
readonly to_user?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
} | {
readonly event_category?: string;
readonly event_name: "outbound_fax";
readonly app_name?: string;
readonly app_version?: string;
readonly msg_id?: string;
readonly node?: string;
readonly server_id?: string;
readonly system_log_id?: string;
readonly account_db?: string;
readonly account_id: string;
readonly call_id?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly fax_id?: string;
readonly fax_info?: { readonly [key: string]: unknown };
readonly fax_jobid?: string;
readonly fax_notifications?: { readonly [key: string]: unknown };
readonly fax_timestamp?: number;
readonly fax_timezone?: string;
readonly faxbox_id?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
};
/** An object document changes. */ readonly object: {
readonly id?: string;
readonly account_id: string;
readonly action?: string;
readonly type?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
};
/** A call is parked, fetched or given up. */ readonly parking: {
readonly event_name?: string;
readonly parking_slot?: string;
readonly account_id: string;
readonly call_id?: string;
readonly caller_id_name?: string;
readonly caller_id_number?: string;
readonly callee_id_name?: string;
readonly callee_id_number?: string;
readonly cluster_id?: string;
readonly [key: string]: unknown;
};
/** Any of the events of calls. */ readonly all: WebhookPayloads['channel_create'] | WebhookPayloads['channel_answer'] | WebhookPayloads['channel_destroy'] | WebhookPayloads['channel_bridge'];
}

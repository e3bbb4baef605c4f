import type * as T from '../types.js';
import type { List } from './list.js';
import type { CallOptions } from './transport.js';
/** The members that `fields` names, and `id`. */
export type Picked<T, F extends keyof T> = Pick<T, F | (keyof T & 'id')>;
interface Fields<F> {
    /** The members to return. By default, all. */
    fields?: readonly F[];
}
/** The parameters of a query. One that takes several values also takes a single one. */
type Filters<D extends {
    query?: object;
}> = {
    [N in keyof NonNullable<D['query']> as Exclude<N, 'fields'>]: OneOrMore<NonNullable<NonNullable<D['query']>[N]>>;
};
type OneOrMore<V> = V extends readonly (infer One)[] ? One | readonly One[] : V;
/** The methods of the client. */
export interface Resources {
    agents: {
        /**
         * List agents.
         * Returns every member, newest first, with when they take leads and how many they have. `compliance` and `developer` members get leads only from rules that name them.
         */
        list<const F extends keyof T.Agent = keyof T.Agent>(query?: Filters<T.AgentsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Agent, F>>;
        /**
         * Retrieve an agent.
         * The `id` is the ID of the member.
         */
        retrieve<const F extends keyof T.Agent = keyof T.Agent>(agentId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Agent, F>>;
        /**
         * Pause an agent, end a pause, or set shifts.
         * Takes effect with the next routing decision. Assigned leads stay with their members. A new pause does not keep the end of the previous pause. After a pause, an agent does not catch up on missed leads.
         */
        update<const F extends keyof T.Agent = keyof T.Agent>(agentId: string, body?: T.AgentPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Agent, F>>;
    };
    aiSettings: {
        /**
         * Retrieve the AI settings.
         * The settings that all personas share: whether the AI is on, its daily budget, and whether the model judges each text once more.
         */
        retrieve(options?: CallOptions): Promise<T.AiSettings>;
        /**
         * Update the AI settings.
         * Changes apply to all personas of the workspace at once.
         */
        update(body?: T.AiSettingsPatch, options?: CallOptions): Promise<T.AiSettings>;
    };
    apiKeys: {
        /**
         * List API keys.
         * Newest first, including revoked and expired keys. The response never includes the keys themselves.
         */
        list<const F extends keyof T.ApiKey = keyof T.ApiKey>(query?: Filters<T.ApiKeysListData> & Fields<F>, options?: CallOptions): List<Picked<T.ApiKey, F>>;
        /**
         * Create an API key.
         * The response shows the key, which is never shown again.
         */
        create<const F extends keyof T.ApiKeyWithSecret = keyof T.ApiKeyWithSecret>(body: T.ApiKeyDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.ApiKeyWithSecret, F>>;
        /**
         * Retrieve an API key.
         * The key itself is shown only once, when it is created. The response says what the key may do, when it expires, and when it was last used.
         */
        retrieve<const F extends keyof T.ApiKey = keyof T.ApiKey>(apiKeyId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.ApiKey, F>>;
        /**
         * Revoke an API key.
         * The key stops working permanently, starting with its next request. Revoking it again changes nothing.
         */
        revoke<const F extends keyof T.ApiKey = keyof T.ApiKey>(apiKeyId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.ApiKey, F>>;
    };
    appointments: {
        /**
         * List appointments.
         * Newest first. To list the appointments of a week by time, use `GET /calendar`.
         */
        list<const F extends keyof T.Appointment = keyof T.Appointment>(query?: Filters<T.AppointmentsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Appointment, F>>;
        /**
         * Book an appointment.
         * Unless `if_free` is true, Gable books an appointment even if it overlaps others, and names them in `conflicts`.
         */
        create<const F extends keyof T.Appointment = keyof T.Appointment>(body: T.AppointmentDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Appointment, F>>;
        /**
         * Count appointments.
         * Takes the filters of `GET /appointments`, and counts up to 10000 records.
         */
        count(query?: Filters<T.AppointmentsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve an appointment.
         * `calendar_sync` and `responses` show whether it is in the calendars of its host and what its attendees have responded.
         */
        retrieve<const F extends keyof T.Appointment = keyof T.Appointment>(appointmentId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Appointment, F>>;
        /**
         * Move an appointment, record its outcome, or change its details.
         * `starts_at` and `ends_at` together move the appointment. `outcome` records the outcome, and you can correct it later. If you send both, Gable moves the appointment first.
         */
        update<const F extends keyof T.Appointment = keyof T.Appointment>(appointmentId: string, body?: T.AppointmentPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Appointment, F>>;
    };
    apps: {
        /**
         * List apps.
         * The apps that this workspace has registered, newest first.
         */
        list<const F extends keyof T.App = keyof T.App>(query?: Filters<T.AppsListData> & Fields<F>, options?: CallOptions): List<Picked<T.App, F>>;
        /**
         * Register an app.
         * The response shows the client secret, which is never shown again. A public app has no secret and authenticates only with PKCE.
         */
        create<const F extends keyof T.AppWithSecret = keyof T.AppWithSecret>(body: T.AppDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.AppWithSecret, F>>;
        /**
         * Retrieve an app.
         * Apps belong to the workspace that registered them. Workspaces that use an app see it under `/grants`.
         */
        retrieve<const F extends keyof T.App = keyof T.App>(appId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.App, F>>;
        /**
         * Update an app.
         * Removed scopes stop working at once in every workspace that has approved the app. Each workspace must approve added scopes. `redirect_uris` replaces all redirect URIs.
         */
        update<const F extends keyof T.App = keyof T.App>(appId: string, body?: T.AppPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.App, F>>;
        /**
         * Delete an app.
         * The app loses access to every workspace, starting with its next request. Gable deletes its approvals and webhooks.
         */
        delete(appId: string, options?: CallOptions): Promise<T.Removal>;
        /**
         * Disable an app.
         * The app loses access to all workspaces, starting with its next request. Gable keeps the approvals, so the app works again once you enable it.
         */
        disable<const F extends keyof T.App = keyof T.App>(appId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.App, F>>;
        /**
         * Enable an app.
         * Workspaces can connect the app again, and the access that they gave it before it was disabled works again if it has not been revoked.
         */
        enable<const F extends keyof T.App = keyof T.App>(appId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.App, F>>;
        /**
         * Rotate the client secret.
         * The response shows the new secret, which is never shown again. The previous secret works for another 24 hours; older secrets stop working.
         */
        rotateSecret<const F extends keyof T.AppWithSecret = keyof T.AppWithSecret>(appId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.AppWithSecret, F>>;
    };
    auditLog: {
        /**
         * List the audit log.
         * Lists who changed what in the workspace, newest first: members, invitations, offices, teams, API keys, apps and their access, and webhooks. Also lists erased contacts, lifted suppressions, and requests to enroll contacts in automations. Gable keeps all entries, and no one can change them.
         */
        list<const F extends keyof T.AuditEntry = keyof T.AuditEntry>(query?: Filters<T.AuditLogListData> & Fields<F>, options?: CallOptions): List<Picked<T.AuditEntry, F>>;
    };
    automationChanges: {
        /**
         * Retrieve a bulk change of enrollments.
         * A bulk change runs in the background. Poll it to see how many enrollments it has changed, and whether it is finished.
         */
        retrieve<const F extends keyof T.AutomationChange = keyof T.AutomationChange>(automationChangeId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.AutomationChange, F>>;
    };
    automations: {
        /**
         * List automations.
         * Newest first, without those that are archived unless you ask for them. For the statistics of an automation, retrieve it.
         */
        list<const F extends keyof T.Automation = keyof T.Automation>(query?: Filters<T.AutomationsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Automation, F>>;
        /**
         * Create an automation.
         * The automation can enroll contacts once it is published and enabled.
         */
        create<const F extends keyof T.Automation = keyof T.Automation>(body: T.AutomationDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Automation, F>>;
        /**
         * Count automations.
         * Takes the filters of `GET /automations`, and counts up to 10000 records.
         */
        count(query?: Filters<T.AutomationsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve the JSON Schema of definitions.
         * Describes what `definition` may contain: triggers, conditions, steps, and exits. Use it to check or generate definitions.
         */
        schema(options?: CallOptions): Promise<T.AutomationSchema>;
        /**
         * Validate a definition.
         * Checks a definition the way saving and publishing do, without saving it. The definition may not name an inactive member or an archived automation.
         */
        validate(body: T.AutomationDefinitionDraft, options?: CallOptions): Promise<T.ValidDefinition>;
        /**
         * Retrieve an automation.
         * Includes how many contacts are enrolled.
         */
        retrieve<const F extends keyof T.AutomationWithStats = keyof T.AutomationWithStats>(automationId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.AutomationWithStats, F>>;
        /**
         * Update an automation.
         * Changes the draft. A new `definition` takes effect when you publish it. `archived` archives or restores the automation.
         */
        update<const F extends keyof T.Automation = keyof T.Automation>(automationId: string, body?: T.AutomationPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Automation, F>>;
        backfills: {
            /**
             * List the backfills of an automation.
             * A backfill enrolls existing contacts in the automation, at an hourly pace.
             */
            list<const F extends keyof T.BackfillProgress = keyof T.BackfillProgress>(automationId: string, query?: Filters<T.AutomationsBackfillsListData> & Fields<F>, options?: CallOptions): List<Picked<T.BackfillProgress, F>>;
            /**
             * Enroll existing contacts.
             * Takes a snapshot of the contacts who match the conditions now, and enrolls them gradually, `per_hour`. Contacts who are already enrolled, or may not be enrolled again, are left out. If the first message may not be sent to a contact yet, the contact is enrolled as soon as it may. With the status `paused`, it only counts the contacts: Gable enrolls no one until you set the status to `running`.
             */
            create<const F extends keyof T.BackfillProgress = keyof T.BackfillProgress>(automationId: string, body: T.BackfillDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.BackfillProgress, F>>;
        };
        changes: {
            /**
             * List bulk changes of enrollments.
             * Lists the changes that applied to all enrollments of an automation: pauses, resumptions, cancellations, and migrations.
             */
            list<const F extends keyof T.AutomationChange = keyof T.AutomationChange>(automationId: string, query?: Filters<T.AutomationsChangesListData> & Fields<F>, options?: CallOptions): List<Picked<T.AutomationChange, F>>;
        };
        /**
         * Disable an automation.
         * The automation stops enrolling contacts, and enrolled contacts take no further steps. Gable updates their status in batches; `GET /automation-changes/{id}` with the `change_id` shows the progress. To change `running`, disable the automation again.
         */
        disable<const F extends keyof T.Automation = keyof T.Automation>(automationId: string, body?: T.AutomationDisabling, options?: CallOptions & Fields<F>): Promise<Picked<T.Automation, F>>;
        /**
         * Preview an automation for a contact.
         * Shows each step that the contact would take and when, and for each message its content and whether it may be sent then. Changes to the contact apply to the steps after them. Without `assume`, no events happen during the dry run. A message that may be sent leaves at once. Outcomes that depend on others are assumed to succeed. Changes nothing. Also requires `contacts:read`.
         */
        dryRun(automationId: string, body: T.DryRunRequest, options?: CallOptions): Promise<T.DryRun>;
        /**
         * Enable an automation.
         * The automation can enroll contacts. Enrollments that paused when it was disabled resume with the rest of their waits. Gable resumes overdue enrollments at 200 per hour for each automation. `GET /automation-changes/{id}` with the `change_id` shows the progress.
         */
        enable<const F extends keyof T.Automation = keyof T.Automation>(automationId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Automation, F>>;
        /**
         * Enroll a contact in an automation.
         * Gable stores the enrollment before it responds, and takes the first step soon afterwards. A contact who is already enrolled is not enrolled twice.
         */
        enroll<const F extends keyof T.CreatedEnrollment = keyof T.CreatedEnrollment>(automationId: string, body: T.EnrollmentDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.CreatedEnrollment, F>>;
        enrollments: {
            /**
             * List the enrollments in an automation.
             * An enrollment is one contact on its way through the automation.
             */
            list<const F extends keyof T.Enrollment = keyof T.Enrollment>(automationId: string, query?: Filters<T.AutomationsEnrollmentsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Enrollment, F>>;
        };
        entries: {
            /**
             * List the entries of an automation.
             * Lists each event, and each step of another automation, that could have enrolled a contact. Each entry says whether the contact was enrolled, and why not. Gable keeps entries for 30 days.
             */
            list<const F extends keyof T.AutomationEntry = keyof T.AutomationEntry>(automationId: string, query?: Filters<T.AutomationsEntriesListData> & Fields<F>, options?: CallOptions): List<Picked<T.AutomationEntry, F>>;
        };
        /**
         * Explain whether a contact would be enrolled.
         * Returns whether a trigger would enroll the contact now, and everything that prevents it, including the tests that fail. Changes nothing.
         */
        explain(automationId: string, body: T.EntryQuestion, options?: CallOptions): Promise<T.EntryExplanation>;
        /**
         * Move enrollments to another version.
         * Moves active enrollments to another version, in batches. An enrollment can move if its current step exists in that version with the same key and type. `GET /automation-changes/{id}` shows the progress, and the enrollments that could not move. Enrollments that are waiting keep the end of their wait. An enrollment that has not started starts with the first step of that version.
         */
        migrate<const F extends keyof T.AutomationChange = keyof T.AutomationChange>(automationId: string, body: T.AutomationMigration, options?: CallOptions & Fields<F>): Promise<Picked<T.AutomationChange, F>>;
        /**
         * Publish the draft of an automation.
         * Creates a version from the draft. Versions never change. Contacts who enroll from now on follow the new version; enrolled contacts keep theirs. If the draft has not changed, no version is created. Gable checks the draft again, because a member that it names may have left since.
         */
        publish<const F extends keyof T.Automation = keyof T.Automation>(automationId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Automation, F>>;
        versions: {
            /**
             * List the published versions of an automation.
             * Newest first. Versions never change. To go back to an earlier version, `PATCH` the automation with its `definition` and publish it.
             */
            list<const F extends keyof T.AutomationVersion = keyof T.AutomationVersion>(automationId: string, query?: Filters<T.AutomationsVersionsListData> & Fields<F>, options?: CallOptions): List<Picked<T.AutomationVersion, F>>;
        };
    };
    availability: {
        /**
         * List when members are free.
         * Returns active members, newest first, with the times within their shifts at which they host no appointment. A member without shifts works at any hour. Shifts without a time zone use the time zone of the routing rules.
         */
        list<const F extends keyof T.Availability = keyof T.Availability>(query?: Filters<T.AvailabilityListData> & Fields<F>, options?: CallOptions): List<Picked<T.Availability, F>>;
    };
    backfills: {
        /**
         * Retrieve a backfill.
         * Includes its progress.
         */
        retrieve<const F extends keyof T.BackfillProgress = keyof T.BackfillProgress>(backfillId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.BackfillProgress, F>>;
        /**
         * Pause, resume, cancel, or pace a backfill.
         * `paused` stops enrolling contacts; counting goes on. `running` resumes at the same pace, without catching up on the pause. `cancelled` leaves out the contacts who are still waiting. Contacts who are enrolled stay enrolled. If you can access only your own contacts, this endpoint returns 404 for a backfill that includes other contacts.
         */
        update<const F extends keyof T.BackfillProgress = keyof T.BackfillProgress>(backfillId: string, body?: T.BackfillChange, options?: CallOptions & Fields<F>): Promise<Picked<T.BackfillProgress, F>>;
        contacts: {
            /**
             * List the contacts of a backfill.
             * Includes the outcome for each contact.
             */
            list<const F extends keyof T.BackfillContact = keyof T.BackfillContact>(backfillId: string, query?: Filters<T.BackfillsContactsListData> & Fields<F>, options?: CallOptions): List<Picked<T.BackfillContact, F>>;
        };
    };
    calendar: {
        /**
         * Show a calendar.
         * Returns entries in order of time. Includes appointments and open houses that overlap the range, tasks that are due in it, and deal dates that fall on one of its days in the time zone of the workspace. Omits cancelled appointments and tasks; open houses of listings that are canceled, expired, or withdrawn; and dates of deals that are lost or cancelled. Open houses require the scope `listings:read`, and deal dates require `deals:read`.
         */
        list(query?: Filters<T.CalendarListData>, options?: CallOptions): Promise<T.Calendar>;
    };
    calls: {
        /**
         * List calls.
         * Newest first. Includes calls that were placed, received, and blocked, by people and by the AI. The list does not include transcripts.
         */
        list<const F extends keyof T.Call = keyof T.Call>(query?: Filters<T.CallsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Call, F>>;
        /**
         * Place a call.
         * The AI calls a person, or Gable calls a member first and then connects them. Every call passes the compliance gates twice: when it is accepted and when it is placed. No option skips them. If a gate forbids a call, the response is a 422 with the reason, and Gable keeps the attempt. A call is placed at most once.
         */
        create(body?: T.CallDraft, options?: CallOptions): Promise<T.Call>;
        /**
         * Count calls.
         * Takes the filters of `GET /calls`, and counts up to 10000 records.
         */
        count(query?: Filters<T.CallsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Check a call.
         * Returns whether the call could be placed now, gate by gate, with the local times that count and the law behind each rule. Places and records nothing.
         */
        preflight(body?: T.CallDraft, options?: CallOptions): Promise<T.CallPreflight>;
        /**
         * Retrieve a call.
         * Includes its transcript.
         */
        retrieve<const F extends keyof T.CallWithTranscript = keyof T.CallWithTranscript>(callId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.CallWithTranscript, F>>;
        /**
         * Update a call.
         * Sets the result or the summary of a call that is over. The summary then counts as written by a person (`summary_source`). `do_not_call`, `wrong_number`, and `not_interested` have the same effect as if the person said so in the call. A member who placed the call, but does not see its contact, can set only its result.
         */
        update<const F extends keyof T.Call = keyof T.Call>(callId: string, body?: T.CallPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Call, F>>;
        /**
         * Cancel a call.
         * Cancels a call that is waiting to be placed.
         */
        cancel(callId: string, options?: CallOptions): Promise<T.Call>;
    };
    campaigns: {
        /**
         * List campaigns.
         * Campaigns of every status, each with its statistics.
         */
        list<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(query?: Filters<T.CampaignsListData> & Fields<F>, options?: CallOptions): List<Picked<T.CampaignWithStats, F>>;
        /**
         * Create a campaign.
         * Creates a draft, which sends nothing. Summarize it, then start or schedule it.
         */
        create<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(body: T.CampaignDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.CampaignWithStats, F>>;
        /**
         * Count campaigns.
         * Takes the filters of `GET /campaigns`, and counts up to 10000 records.
         */
        count(query?: Filters<T.CampaignsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a campaign.
         * Includes its statistics and its latest summary.
         */
        retrieve<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(campaignId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.CampaignWithStats, F>>;
        /**
         * Update a campaign.
         * Once the campaign is scheduled, only its `name` and `throttle_per_hour` can change. To change the rest, unschedule it.
         */
        update<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(campaignId: string, body?: T.CampaignPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.CampaignWithStats, F>>;
        /**
         * Cancel a campaign.
         * Ends the campaign permanently. Messages that have not started sending are never sent.
         */
        cancel<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(campaignId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.CampaignWithStats, F>>;
        /**
         * Pause a campaign.
         * Messages that have not started sending wait until you resume the campaign.
         */
        pause<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(campaignId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.CampaignWithStats, F>>;
        recipients: {
            /**
             * List the recipients of a campaign.
             * Lists the audience as of the start of the campaign. Includes the outcome for each contact.
             */
            list<const F extends keyof T.CampaignRecipient = keyof T.CampaignRecipient>(campaignId: string, query?: Filters<T.CampaignsRecipientsListData> & Fields<F>, options?: CallOptions): List<Picked<T.CampaignRecipient, F>>;
        };
        /**
         * Resume a campaign.
         * The campaign resumes at the same pace, without catching up on the pause.
         */
        resume<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(campaignId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.CampaignWithStats, F>>;
        /**
         * Schedule a campaign.
         * The campaign starts at that time and sends to the contacts who match its audience then. To move the start, schedule it again. Also requires `messages:send`.
         */
        schedule<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(campaignId: string, body?: T.CampaignScheduling, options?: CallOptions & Fields<F>): Promise<Picked<T.CampaignWithStats, F>>;
        /**
         * Start a campaign.
         * Takes a snapshot of the audience, and sends to its contacts one by one. This cannot be undone. Also requires `messages:send`.
         */
        start<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(campaignId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.CampaignWithStats, F>>;
        /**
         * Summarize the compliance of a campaign.
         * Checks the whole audience against the gates at the planned times: who would get the message, who would get it later, who would not, and why. If the workspace has at most 500 contacts, the response includes the complete summary. Otherwise `compliance_summary.status` is `running`, and `GET /campaigns/{id}` shows the progress. Sends nothing.
         */
        summary<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(campaignId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.CampaignWithStats, F>>;
        /**
         * Send a test of a campaign to a member.
         * Sends the message to a member, with placeholders filled as for a contact of the audience. No contact gets it, and `stats` does not count it. The test passes the gates like any message. A member who has texted the number within 24 hours can get a text; any other member must have consented. Also requires `messages:send`.
         */
        test(campaignId: string, body?: T.CampaignTest, options?: CallOptions): Promise<T.Message>;
        /**
         * Unschedule a campaign.
         * The campaign becomes a draft again: it does not start, and you can edit it.
         */
        unschedule<const F extends keyof T.CampaignWithStats = keyof T.CampaignWithStats>(campaignId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.CampaignWithStats, F>>;
    };
    complianceSettings: {
        /**
         * Retrieve the compliance settings.
         * The settings that apply to every message and call of the workspace. Those that have never been changed have their defaults.
         */
        retrieve(options?: CallOptions): Promise<T.ComplianceSettings>;
        /**
         * Update the compliance settings.
         * Changes apply to the whole workspace, starting with the next message.
         */
        update(body?: T.ComplianceSettingsPatch, options?: CallOptions): Promise<T.ComplianceSettings>;
    };
    connections: {
        /**
         * List connections.
         * Returns the accounts with the providers that messages and calls go through and that documents are signed with, newest first, without their credentials.
         */
        list<const F extends keyof T.Connection = keyof T.Connection>(query?: Filters<T.ConnectionsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Connection, F>>;
        /**
         * Connect an account with a provider.
         * Gable encrypts the credentials and never shows them. In a workspace in test mode, every connection is simulated.
         */
        create<const F extends keyof T.Connection = keyof T.Connection>(body: T.ConnectionDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Connection, F>>;
        /**
         * Retrieve a connection.
         * A connection is an account at a provider. Its credentials are never returned.
         */
        retrieve<const F extends keyof T.Connection = keyof T.Connection>(connectionId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Connection, F>>;
        /**
         * Update a connection.
         * A new `secret` replaces the credentials. For 24 hours, Gable also accepts callbacks that were signed with the previous ones.
         */
        update<const F extends keyof T.Connection = keyof T.Connection>(connectionId: string, body?: T.ConnectionPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Connection, F>>;
        /**
         * Disconnect a connection.
         * Deletes its credentials. From then on, it carries nothing, and Gable rejects the callbacks of its provider. New credentials connect it again. Disconnecting it again changes nothing.
         */
        disconnect<const F extends keyof T.Connection = keyof T.Connection>(connectionId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Connection, F>>;
        /**
         * Test a connection.
         * Asks Retell or Twilio whether it accepts the credentials and has the account. The connection shows the result: `tested_at` if the provider accepts them, `credentials_rejected_at` otherwise.
         */
        test(connectionId: string, options?: CallOptions): Promise<T.ConnectionTest>;
    };
    contacts: {
        /**
         * List contacts.
         * Newest first. Omits erased contacts.
         */
        list<const F extends keyof T.Contact = keyof T.Contact>(query?: Filters<T.ContactsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Contact, F>>;
        /**
         * Create a contact.
         * Creates a contact in any case: a contact with the same number or address is not changed. To capture an inquiry along with its consent, use `POST /leads`, which finds the contact. With `upsert=external_id`, the contact that has one of the `external_ids` is changed instead, if there is one: fields that you omit keep their values, `external_ids` are added, and the response is a 200. A credential with `contacts:read:pii` that sees all contacts finds the IDs that such credentials gave. One that sees only some contacts also has IDs of its own, and one without `contacts:read:pii`, or that sees only what it created, has only those: what others gave neither matches nor gets in the way.
         */
        create<const F extends keyof T.Contact = keyof T.Contact>(body?: T.ContactDraft, options?: CallOptions & Filters<T.ContactsCreateData> & Fields<F>): Promise<Picked<T.Contact, F>>;
        /**
         * Create many contacts.
         * Takes up to 200 bodies of `POST /contacts`, 2 MB in all, and handles them in order, each in a transaction of its own. `results` has one entry for each item, in order: the status, and the record or the error, of a single request. The status of the whole is 200 even if no item succeeds. Each 10 items count as one request; if too few are left, the response is a 429 and nothing is written. An `idempotency_key` is that of its item; an `Idempotency-Key` covers the whole.
         */
        batch(body: T.ContactBatchDraft, options?: CallOptions & Filters<T.ContactsBatchData>): Promise<T.ContactBatch>;
        /**
         * Count contacts.
         * Takes the filters of `GET /contacts`, and counts up to 10000 records.
         */
        count(query?: Filters<T.ContactsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a contact.
         * An erased contact has `erased_at` and no personal data.
         */
        retrieve<const F extends keyof T.Contact = keyof T.Contact>(contactId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Contact, F>>;
        /**
         * Update a contact.
         * To make sure that you do not overwrite a change that you have not seen, send `If-Match`.
         */
        update<const F extends keyof T.Contact = keyof T.Contact>(contactId: string, body?: T.ContactPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Contact, F>>;
        /**
         * Erase a contact.
         * Permanently removes names, addresses, notes, and all other personal data from the contact and its history. The record remains, so that other records can refer to it.
         */
        delete(contactId: string, options?: CallOptions): Promise<T.Erasure>;
        /**
         * Pause or resume the AI for a contact.
         * Applies to the person, including every other contact with the same phone number or email address.
         */
        ai<const F extends keyof T.Contact = keyof T.Contact>(contactId: string, body: T.AiStatus, options?: CallOptions & Fields<F>): Promise<Picked<T.Contact, F>>;
        enrollments: {
            /**
             * List a contact's enrollments.
             * The automations that the contact is in or has been in, with the status of each.
             */
            list<const F extends keyof T.Enrollment = keyof T.Enrollment>(contactId: string, query?: Filters<T.ContactsEnrollmentsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Enrollment, F>>;
        };
        events: {
            /**
             * List a contact's events.
             * Returns the contact's timeline, newest first.
             */
            list<const F extends keyof T.Event = keyof T.Event>(contactId: string, query?: Filters<T.ContactsEventsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Event, F>>;
        };
        /**
         * Retrieve a contact's evidence.
         * Returns one file with everything that shows whether and why the contact could be contacted: the consents of its leads, its entries in the consent ledger with their proof, its active suppressions, and its messages with the decisions of the gates. The content of messages requires `messages:read`. For an erased contact, the file has what remains, without content. Without `contacts:read:pii`, the file omits entries and suppressions about a number or an address unless the person or their carrier caused them.
         */
        evidence(contactId: string, options?: CallOptions): Promise<T.ContactEvidence>;
        notes: {
            /**
             * List a contact's notes.
             * The notes about the contact, newest first. Its other events are under `/contacts/{id}/events`.
             */
            list<const F extends keyof T.Event = keyof T.Event>(contactId: string, query?: Filters<T.ContactsNotesListData> & Fields<F>, options?: CallOptions): List<Picked<T.Event, F>>;
            /**
             * Add a note.
             * Pauses the AI's automatic responses to the contact.
             */
            create<const F extends keyof T.Event = keyof T.Event>(contactId: string, body: T.NoteDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Event, F>>;
        };
        /**
         * Check how a contact can be reached.
         * Returns, for each channel, whether the contact could be contacted now, and if not, why not and when at the earliest. The gates judge as in a preflight, except for the content. Channels that the credential may not use are left out: texts, WhatsApp, and email require `messages:send`, calls `calls:write`. Sends and records nothing.
         */
        reachability(contactId: string, options?: CallOptions): Promise<T.Reachability>;
    };
    conversations: {
        /**
         * List conversations.
         * Each conversation contains the messages between a sender of the workspace and an address. Newest first.
         */
        list<const F extends keyof T.Conversation = keyof T.Conversation>(query?: Filters<T.ConversationsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Conversation, F>>;
        /**
         * Count conversations.
         * Takes the filters of `GET /conversations`, and counts up to 10000 records.
         */
        count(query?: Filters<T.ConversationsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a conversation.
         * A conversation is what was exchanged with one person on one channel. For its messages, list messages with its ID.
         */
        retrieve<const F extends keyof T.Conversation = keyof T.Conversation>(conversationId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Conversation, F>>;
    };
    deals: {
        /**
         * List deals.
         * Newest first. Omits deleted deals.
         */
        list<const F extends keyof T.Deal = keyof T.Deal>(query?: Filters<T.DealsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Deal, F>>;
        /**
         * Create a deal.
         * Adds the deal at the top of its stage. By default, that is the first open stage of the default pipeline.
         */
        create<const F extends keyof T.Deal = keyof T.Deal>(body?: T.DealDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Deal, F>>;
        /**
         * Count deals.
         * Takes the filters of `GET /deals`, and counts up to 10000 records.
         */
        count(query?: Filters<T.DealsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a deal.
         * Deleted deals are a 404 until they are restored.
         */
        retrieve<const F extends keyof T.Deal = keyof T.Deal>(dealId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Deal, F>>;
        /**
         * Update a deal.
         * Can also move the deal to another stage or pipeline, or to another position in its stage. The status of the deal follows from its stage. Winning a deal fills in `close_date` and fixes the commission until you send it again.
         */
        update<const F extends keyof T.Deal = keyof T.Deal>(dealId: string, body?: T.DealPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Deal, F>>;
        /**
         * Delete a deal.
         * You can restore it for 30 days.
         */
        delete(dealId: string, options?: CallOptions): Promise<T.Removal>;
        /**
         * Restore a deleted deal.
         * You can restore a deal for 30 days. A deal that is not deleted stays unchanged.
         */
        restore<const F extends keyof T.Deal = keyof T.Deal>(dealId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Deal, F>>;
    };
    documents: {
        /**
         * List documents.
         * Newest first. Filter by deal, by contact, or by status.
         */
        list<const F extends keyof T.Document = keyof T.Document>(query?: Filters<T.DocumentsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Document, F>>;
        /**
         * Get a document signed, or attach one.
         * Creates a document from a provider's template and sends it to its signers, or attaches a document that was created at the provider. Both happen after the response. `status` shows the progress, and `error` shows what went wrong.
         */
        create<const F extends keyof T.Document = keyof T.Document>(body?: T.DocumentDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Document, F>>;
        /**
         * Count documents.
         * Takes the filters of `GET /documents`, and counts up to 10000 records.
         */
        count(query?: Filters<T.DocumentsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a document.
         * `status` and `signers` say who has signed. `file_url` is a new link to the file that works for five minutes.
         */
        retrieve<const F extends keyof T.Document = keyof T.Document>(documentId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Document, F>>;
        /**
         * Update a document.
         * Changes only Gable's record. The document that the signers received does not change.
         */
        update<const F extends keyof T.Document = keyof T.Document>(documentId: string, body?: T.DocumentPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Document, F>>;
        /**
         * Void a document.
         * Ends a document that is waiting for signatures, also at the provider. It becomes `voided` once the provider has voided it. If the last signer signs first, it becomes `signed`. Voiding it again changes nothing.
         */
        void<const F extends keyof T.Document = keyof T.Document>(documentId: string, body?: T.VoidRequest, options?: CallOptions & Fields<F>): Promise<Picked<T.Document, F>>;
    };
    enrollments: {
        /**
         * Retrieve an enrollment.
         * Includes its history and its next step.
         */
        retrieve<const F extends keyof T.EnrollmentDetails = keyof T.EnrollmentDetails>(enrollmentId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.EnrollmentDetails, F>>;
        /**
         * Pause, resume, or cancel an enrollment.
         * `paused` stops the enrollment and its waits. A message that has not started sending is cancelled, and judged again when the enrollment resumes. `running` resumes it; overdue enrollments resume at 200 per hour for each automation. `cancelled` ends it permanently and cancels its messages that are waiting to be sent.
         */
        update<const F extends keyof T.Enrollment = keyof T.Enrollment>(enrollmentId: string, body: T.EnrollmentPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Enrollment, F>>;
    };
    eventTypes: {
        /**
         * List event types.
         * Lists every event that a webhook can subscribe to, regardless of the scopes of the credential, on one page.
         */
        list(options?: CallOptions): List<T.EventType>;
    };
    events: {
        /**
         * List events.
         * Lists the events of the last 30 days as webhooks deliver them, newest first. Also requires the scope of each event, such as `contacts:read`; other events are omitted. To poll, repeat the request with `since` set to one minute before your newest event, and skip every `event_id` that you already have: an event appears when its change is committed, which can be seconds after it occurred.
         */
        list<const F extends keyof T.JournalEvent = keyof T.JournalEvent>(query?: Filters<T.EventsListData> & Fields<F>, options?: CallOptions): List<Picked<T.JournalEvent, F>>;
        /**
         * Count events.
         * Takes the filters of `GET /events`, and counts up to 10000 records.
         */
        count(query?: Filters<T.EventsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve an event.
         * Returns an event of the last 30 days as webhooks deliver it. Also requires the scope of the event, such as `contacts:read`.
         */
        retrieve<const F extends keyof T.JournalEvent = keyof T.JournalEvent>(eventId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.JournalEvent, F>>;
        deliveries: {
            /**
             * List the deliveries of an event.
             * The deliveries of the event to every webhook, of the last 30 days.
             */
            list<const F extends keyof T.Delivery = keyof T.Delivery>(eventId: string, query?: Filters<T.EventsDeliveriesListData> & Fields<F>, options?: CallOptions): List<Picked<T.Delivery, F>>;
        };
    };
    generations: {
        /**
         * List AI generations.
         * Lists each time that Gable asked a language model to write to a contact or to summarize a call, newest first. Includes the prompt digest, the proposal, the checks, and the outcome.
         */
        list<const F extends keyof T.Generation = keyof T.Generation>(query?: Filters<T.GenerationsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Generation, F>>;
        /**
         * Count AI generations.
         * Takes the filters of `GET /generations`, and counts up to 10000 records.
         */
        count(query?: Filters<T.GenerationsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve an AI generation.
         * A generation is one request to the language model: what it proposed, and what Gable or a member decided about it.
         */
        retrieve<const F extends keyof T.Generation = keyof T.Generation>(generationId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Generation, F>>;
    };
    grants: {
        /**
         * List connected apps.
         * The grants of apps that can access this workspace, newest first.
         */
        list<const F extends keyof T.ConnectedApp = keyof T.ConnectedApp>(query?: Filters<T.GrantsListData> & Fields<F>, options?: CallOptions): List<Picked<T.ConnectedApp, F>>;
        /**
         * Retrieve a connected app.
         * What the app may do in this workspace, who allowed it, and when it was last used.
         */
        retrieve<const F extends keyof T.ConnectedApp = keyof T.ConnectedApp>(grantId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.ConnectedApp, F>>;
        /**
         * Disconnect an app.
         * The app loses access to this workspace, starting with its next request: Gable revokes its tokens and deletes its webhooks here. The app can request access again.
         */
        delete(grantId: string, options?: CallOptions): Promise<T.Removal>;
    };
    invitations: {
        /**
         * List open invitations.
         * Newest first. Omits invitations that were accepted or revoked or have expired.
         */
        list<const F extends keyof T.Invitation = keyof T.Invitation>(query?: Filters<T.InvitationsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Invitation, F>>;
        /**
         * Invite a member.
         * Gable emails the person a link that works once, for seven days. It replaces an open invitation of the same address. A member who cannot sign in yet keeps their role. Only an owner can invite owners.
         */
        create<const F extends keyof T.Invitation = keyof T.Invitation>(body: T.InvitationDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Invitation, F>>;
        /**
         * Retrieve an open invitation.
         * Invitations that were accepted, withdrawn, or have expired are a 404.
         */
        retrieve<const F extends keyof T.Invitation = keyof T.Invitation>(invitationId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Invitation, F>>;
        /**
         * Revoke an invitation.
         * Its link stops working. Only an owner can revoke the invitation of an owner.
         */
        delete(invitationId: string, options?: CallOptions): Promise<T.Removal>;
    };
    leads: {
        /**
         * List leads.
         * Newest first. Without `contacts:read:pii`, `contact_id` is null and you cannot filter by it, because it would reveal whether the phone number of a lead was known.
         */
        list<const F extends keyof T.Lead = keyof T.Lead>(query?: Filters<T.LeadsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Lead, F>>;
        /**
         * Capture a lead.
         * Links the lead to the contact with the same phone number, or else the same email address, or else to a new contact. Routes the lead unless `skip_routing` is true. If the contact lacks a phone number or an email address, Gable fills it in from the lead, unless another contact has it. If the contact has no address, Gable fills it in from the `street`, `city`, `state`, `zip`, and `country` of the `context`, and recognizes other names that forms use. A credential without `contacts:read:pii`, or one that sees only what it created, cannot find out from this whether the number was known: Gable withholds the contact and the routing result from it in this response, when it reads the lead, in events, and in the webhooks of its app. With scopes that read contacts, messages, or calls, it sees what is then done with the person. It can find out that the person has opted out. If the same credential sends a lead with the same `source`, `source_ref`, and phone number again within 30 days, the response is a 200 with the first lead, which stays as it is and is not routed again. Anything else is a new lead.
         */
        create<const F extends keyof T.Lead = keyof T.Lead>(body: T.LeadDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Lead, F>>;
        /**
         * Capture many leads.
         * Takes up to 200 bodies of `POST /leads`, 2 MB in all, and handles them in order, each in a transaction of its own. `results` has one entry for each item, in order: the status, and the record or the error, of a single request. The status of the whole is 200 even if no item succeeds. Each 10 items count as one request; if too few are left, the response is a 429 and nothing is written. An `idempotency_key` is that of its item; an `Idempotency-Key` covers the whole.
         */
        batch(body: T.LeadBatchDraft, options?: CallOptions): Promise<T.LeadBatch>;
        /**
         * Count leads.
         * Takes the filters of `GET /leads`, and counts up to 10000 records.
         */
        count(query?: Filters<T.LeadsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Preview the routing of a lead.
         * Returns who would get this lead now, and why, with every rule, the conditions that failed, and every candidate. Changes nothing and notifies no one.
         */
        routingPreview(body: T.RoutingPreviewDraft, options?: CallOptions): Promise<T.RoutingPreview>;
        /**
         * Retrieve a lead.
         * `routing` names the rule that assigned the lead and the reason. For all decisions, list the routing of the lead.
         */
        retrieve<const F extends keyof T.Lead = keyof T.Lead>(leadId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Lead, F>>;
        /**
         * Update a lead's status.
         * A closed lead no longer counts toward its assignee's open leads.
         */
        update<const F extends keyof T.Lead = keyof T.Lead>(leadId: string, body: T.LeadPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Lead, F>>;
        /**
         * Assign a lead.
         * Assigns the lead to a member. If you omit `assignee_id`, the routing rules decide. The assignee also becomes the owner of the contact. If nothing changes, `decision` is null and `reason` says why.
         */
        assign(leadId: string, body?: T.LeadAssignment, options?: CallOptions): Promise<T.LeadAssignmentResult>;
        /**
         * Claim an offered lead.
         * The first member to claim the lead gets it.
         */
        claim<const F extends keyof T.Lead = keyof T.Lead>(leadId: string, body: T.LeadClaim, options?: CallOptions & Fields<F>): Promise<Picked<T.Lead, F>>;
        consent: {
            /**
             * Revoke consent.
             * Records that the person revokes their consent. The revocation applies to the person, not only to this lead (47 CFR 64.1200(a)(10)): it covers every other lead with the same phone number or of the same contact, and every consent captured before, even if it arrives later. A consent captured after the revocation counts again. Captured consents are never changed.
             */
            delete(leadId: string, options?: CallOptions): Promise<T.Lead>;
        };
        routing: {
            /**
             * Explain a lead's routing.
             * Returns every routing decision of the lead, newest first, with the rules that were considered and the conditions that failed.
             */
            list<const F extends keyof T.RoutingDecision = keyof T.RoutingDecision>(leadId: string, query?: Filters<T.LeadsRoutingListData> & Fields<F>, options?: CallOptions): List<Picked<T.RoutingDecision, F>>;
        };
    };
    listings: {
        /**
         * List listings.
         * Returns the workspace's own listings, newest first. They belong to its members and offices; MLS listings are not included.
         */
        list<const F extends keyof T.Listing = keyof T.Listing>(query?: Filters<T.ListingsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Listing, F>>;
        /**
         * Create a listing.
         * Gable checks `public_remarks` against the fair housing rules. A listing that is neither active nor coming soon is saved even if words are flagged.
         */
        create<const F extends keyof T.Listing = keyof T.Listing>(body?: T.ListingDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Listing, F>>;
        /**
         * Create and update many listings.
         * Accepts up to 100 listings. Each row matches the listing with its `mls_number`, or else the listing at its street, unit, and ZIP code, or else creates a listing. Gable writes all valid rows together. `results` has one entry for each row, in order, and says why a row was not written. The status is 200 even if no row is valid. Repeating the request changes nothing.
         */
        batch(body: T.ListingBatch, options?: CallOptions): Promise<T.ListingBatchResult>;
        /**
         * Count listings.
         * Takes the filters of `GET /listings`, and counts up to 10000 records.
         */
        count(query?: Filters<T.ListingsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a listing.
         * Listings of any status. Deleted listings are a 404 until they are restored.
         */
        retrieve<const F extends keyof T.Listing = keyof T.Listing>(listingId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Listing, F>>;
        /**
         * Update a listing.
         * Gable checks changed remarks against the fair housing rules again. To make sure that you do not overwrite a change that you have not seen, send `If-Match`.
         */
        update<const F extends keyof T.Listing = keyof T.Listing>(listingId: string, body?: T.ListingPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Listing, F>>;
        /**
         * Delete a listing.
         * You can restore it for 30 days.
         */
        delete(listingId: string, options?: CallOptions): Promise<T.Removal>;
        /**
         * Acknowledge fair housing flags.
         * A signed-in person states why the flagged remarks may stay. The listing can then become active or coming soon. If the remarks change, they need another acknowledgment.
         */
        fairHousingAcknowledgment<const F extends keyof T.Listing = keyof T.Listing>(listingId: string, body: T.AcknowledgmentDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Listing, F>>;
        /**
         * Restore a deleted listing.
         * The listing comes back as it was when it was deleted. It is then in lists and searches again.
         */
        restore<const F extends keyof T.Listing = keyof T.Listing>(listingId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Listing, F>>;
    };
    me: {
        /**
         * Retrieve the signed-in person.
         * Who is signed in, and the workspaces where they are an active member. It also returns the CSRF token that every other request of the session must send.
         */
        retrieve(options?: CallOptions): Promise<T.Me>;
        /**
         * Update the signed-in person.
         * The name of the member in a workspace, which its records show, does not change.
         */
        update(body?: T.MePatch, options?: CallOptions): Promise<T.Me>;
    };
    members: {
        /**
         * List members.
         * Newest first, including inactive members. Every credential sees who works here. To add members, invite people.
         */
        list<const F extends keyof T.Member = keyof T.Member>(query?: Filters<T.MembersListData> & Fields<F>, options?: CallOptions): List<Picked<T.Member, F>>;
        /**
         * Count members.
         * Takes the filters of `GET /members`, and counts up to 10000 records.
         */
        count(query?: Filters<T.MembersCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a member.
         * Members who have left the workspace are included, with `active` set to false, because records still refer to them.
         */
        retrieve<const F extends keyof T.Member = keyof T.Member>(memberId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Member, F>>;
        /**
         * Update a member.
         * A new role applies starting with the member's next request. An inactive member loses access at once. Only an owner can change an owner or make another member an owner.
         */
        update<const F extends keyof T.Member = keyof T.Member>(memberId: string, body?: T.MemberPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Member, F>>;
    };
    messages: {
        /**
         * List messages.
         * Newest first. Includes messages that were sent, received, and blocked.
         */
        list<const F extends keyof T.Message = keyof T.Message>(query?: Filters<T.MessagesListData> & Fields<F>, options?: CallOptions): List<Picked<T.Message, F>>;
        /**
         * Send a message.
         * Sends a text, a WhatsApp message, or an email. Every message passes the compliance gates twice: when it is accepted and when it is sent. No option skips them. If a gate forbids a message, the response is a 422 with the reason, and Gable keeps the attempt in the inbox. When you get the response, the message is on its way but not delivered yet; `status` shows its progress. Gable adds the postal address of the workspace and an unsubscribe link to the end of marketing emails. With `messages:send_only`, the response has no `contact_id` and no `conversation_id`, even if they exist, and messages cannot be checked, read, or continued.
         */
        create(body: T.MessageDraft, options?: CallOptions): Promise<T.Message>;
        /**
         * Count messages.
         * Takes the filters of `GET /messages`, and counts up to 10000 records.
         */
        count(query?: Filters<T.MessagesCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Check a message.
         * Returns whether the message could be sent now, gate by gate, with the local times that count and the law behind each rule. Without a text, the content gate is `skipped`. Sends and records nothing.
         */
        preflight(body: T.PreflightDraft, options?: CallOptions): Promise<T.MessagePreflight>;
        /**
         * Retrieve a message.
         * `status` says how far the message has come, `compliance` what the gates decided, and `error` why it failed. Poll it, or subscribe to the events of messages.
         */
        retrieve(messageId: string, options?: CallOptions): Promise<T.Message>;
        /**
         * Approve and send a message of the AI.
         * Sends a message that is `pending_approval`, unchanged or with a text of your own. With your own text, the message is judged like any message from a person, and pauses the AI. If only the hours forbid the message, it becomes `scheduled` for when they begin. While the AI is paused, the response is a 422, and the message keeps waiting. To drop the message, cancel it.
         */
        approve(messageId: string, body?: T.Approval, options?: CallOptions): Promise<T.Message>;
        /**
         * Cancel a message.
         * Cancels a message that is waiting to be sent or waiting for approval.
         */
        cancel(messageId: string, options?: CallOptions): Promise<T.Message>;
        /**
         * Send a message again.
         * Sends the content of a message that is `failed`, `undelivered`, or `unknown` to the same recipient, from the same sender, as a new message with `resend_of`. The gates judge it like any other message. If the original is `unknown`, the person may get both.
         */
        resend(messageId: string, options?: CallOptions): Promise<T.Message>;
    };
    offices: {
        /**
         * List offices.
         * Offices group members. Routing rules can distribute leads within one.
         */
        list<const F extends keyof T.Office = keyof T.Office>(query?: Filters<T.OfficesListData> & Fields<F>, options?: CallOptions): List<Picked<T.Office, F>>;
        /**
         * Create an office.
         * Assign members to the office with `office_id` in `PATCH /members/{id}`.
         */
        create<const F extends keyof T.Office = keyof T.Office>(body: T.OfficeDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Office, F>>;
        /**
         * Retrieve an office.
         * Members and teams name their office as `office_id`.
         */
        retrieve<const F extends keyof T.Office = keyof T.Office>(officeId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Office, F>>;
        /**
         * Update an office.
         * To make sure that you do not overwrite a change that you have not seen, send `If-Match`.
         */
        update<const F extends keyof T.Office = keyof T.Office>(officeId: string, body?: T.OfficePatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Office, F>>;
    };
    openapi: {
        /**
         * Retrieve the OpenAPI document.
         * The document behind this reference, in OpenAPI 3.1. It needs no credential.
         */
        retrieve(options?: CallOptions): Promise<object>;
    };
    personas: {
        /**
         * List AI personas.
         * Newest first. An enabled persona writes only if its `mode` lets it.
         */
        list<const F extends keyof T.Persona = keyof T.Persona>(query?: Filters<T.PersonasListData> & Fields<F>, options?: CallOptions): List<Picked<T.Persona, F>>;
        /**
         * Create a persona.
         * A persona writes nothing while its `mode` is `off`.
         */
        create<const F extends keyof T.Persona = keyof T.Persona>(body: T.PersonaDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Persona, F>>;
        /**
         * Retrieve a persona.
         * A persona decides how the AI writes, and whether it suggests, waits for approval, or sends.
         */
        retrieve<const F extends keyof T.Persona = keyof T.Persona>(personaId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Persona, F>>;
        /**
         * Update a persona.
         * Creates a new version. Turning the persona off also stops its queued messages.
         */
        update<const F extends keyof T.Persona = keyof T.Persona>(personaId: string, body?: T.PersonaPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Persona, F>>;
        /**
         * Delete a persona.
         * A persona that is on must be turned off first.
         */
        delete(personaId: string, options?: CallOptions): Promise<T.Removal>;
        versions: {
            /**
             * List the versions of a persona.
             * Lists the persona as it was after each change, newest first. Versions never change. `GET /generations` names the version that each request to a model used.
             */
            list<const F extends keyof T.PersonaVersion = keyof T.PersonaVersion>(personaId: string, query?: Filters<T.PersonasVersionsListData> & Fields<F>, options?: CallOptions): List<Picked<T.PersonaVersion, F>>;
        };
    };
    ping: {
        /**
         * Who am I?.
         * Returns the workspace and the scopes of the credential. Use it to test a credential.
         */
        retrieve(options?: CallOptions): Promise<T.Ping>;
    };
    pipelines: {
        /**
         * List pipelines with their stages.
         * Newest first, including archived pipelines. To display them in order, sort by `order_weight`.
         */
        list<const F extends keyof T.Pipeline = keyof T.Pipeline>(query?: Filters<T.PipelinesListData> & Fields<F>, options?: CallOptions): List<Picked<T.Pipeline, F>>;
        /**
         * Create a pipeline.
         * The order of `stages` is that of the board. The `outcome` of a stage is the status of the deals that move into it.
         */
        create<const F extends keyof T.Pipeline = keyof T.Pipeline>(body: T.PipelineDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Pipeline, F>>;
        /**
         * Retrieve a pipeline with its stages.
         * The stages are in the order of the board. For the deals in them, see `GET /pipelines/{id}/board`.
         */
        retrieve<const F extends keyof T.Pipeline = keyof T.Pipeline>(pipelineId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Pipeline, F>>;
        /**
         * Update a pipeline.
         * `stages` replaces all stages. Stages that you send with their `id` keep their deals.
         */
        update<const F extends keyof T.Pipeline = keyof T.Pipeline>(pipelineId: string, body?: T.PipelinePatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Pipeline, F>>;
        /**
         * Show a pipeline's board.
         * For each stage, returns how many deals it has, their totals, and the first deals in order. To move a deal, use `PATCH /deals/{id}`.
         */
        board(pipelineId: string, query?: Filters<T.PipelinesBoardData>, options?: CallOptions): Promise<T.Board>;
    };
    requests: {
        /**
         * List requests.
         * Lists the requests of all credentials of the workspace to the API, newest first: those of the last 30 days, except reads of this log. A key with `created_by_self` sees its own. A request appears within a second after its response. If a server is killed, its last second is missing.
         */
        list<const F extends keyof T.LoggedRequest = keyof T.LoggedRequest>(query?: Filters<T.RequestsListData> & Fields<F>, options?: CallOptions): List<Picked<T.LoggedRequest, F>>;
        /**
         * Retrieve a request.
         * The `request_id` of an error, or of the header `X-Request-Id`, leads to its request, with or without `req_`. Of the bodies, the log keeps the structure, numbers, times, IDs, and values from lists: no text that may describe a person.
         */
        retrieve(requestId: string, options?: CallOptions): Promise<T.LoggedRequestWithBodies>;
    };
    routingRules: {
        /**
         * Retrieve the routing rules.
         * Returns the current rules as a document for `PUT`. Omits default values. Version 0 is the built-in rules: round robin among all members.
         */
        retrieve(options?: CallOptions): Promise<T.RoutingRules>;
        /**
         * Replace the routing rules.
         * Replaces all rules at once, starting with the next decision, and returns the stored document. Rules are matched by `id`, then by name. A rule that stays also keeps its rotation. Send the `version` that you read, so that you do not undo a change that you have not seen. A document that changes nothing creates no version.
         */
        update(body: T.RoutingRules, options?: CallOptions): Promise<T.RoutingRules>;
        /**
         * Retrieve the JSON Schema of routing rules.
         * For editors: it describes every member of a document for `PUT /routing-rules`.
         */
        schema(options?: CallOptions): Promise<T.RoutingRulesSchema>;
        /**
         * Test routing rules.
         * Returns who would get this lead, and why, like `POST /leads/routing-preview`: by a draft in `rules` or by the current rules, now or at another time, and for everything that rules can test. A member that you omit is that of an unknown person with only a phone number. Changes nothing and notifies no one.
         */
        test(body: T.RoutingTest, options?: CallOptions): Promise<T.RoutingPreview>;
        /**
         * Validate routing rules.
         * Checks a document the way `PUT /routing-rules` does, and returns what it would change. Changes nothing.
         */
        validate(body: T.RoutingRules, options?: CallOptions): Promise<T.RoutingRulesChanges>;
        versions: {
            /**
             * List the versions of the routing rules.
             * Newest first. Omits the built-in rules, version 0.
             */
            list<const F extends keyof T.RoutingRulesVersion = keyof T.RoutingRulesVersion>(query?: Filters<T.RoutingRulesVersionsListData> & Fields<F>, options?: CallOptions): List<Picked<T.RoutingRulesVersion, F>>;
            /**
             * Retrieve a version of the routing rules.
             * Versions never change. The `document` has no `version`. To go back to these rules, `PUT` the document.
             */
            retrieve<const F extends keyof T.RoutingRulesVersionDetails = keyof T.RoutingRulesVersionDetails>(routingRuleId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.RoutingRulesVersionDetails, F>>;
        };
    };
    savedSearches: {
        /**
         * List saved searches.
         * The searches for which contacts get digests of new, cheaper, and returned listings.
         */
        list<const F extends keyof T.SavedSearch = keyof T.SavedSearch>(query?: Filters<T.SavedSearchesListData> & Fields<F>, options?: CallOptions): List<Picked<T.SavedSearch, F>>;
        /**
         * Save a search for a contact.
         * The contact gets an email when matching listings are new, cheaper, or back on the market. The email passes the compliance gates as marketing. If they forbid it, Gable pauses the search. A contact can have at most 100 saved searches.
         */
        create<const F extends keyof T.SavedSearch = keyof T.SavedSearch>(body: T.SavedSearchDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.SavedSearch, F>>;
        /**
         * Count saved searches.
         * Takes the filters of `GET /saved-searches`, and counts up to 10000 records.
         */
        count(query?: Filters<T.SavedSearchesCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a saved search.
         * The criteria, how often the contact gets a digest, and when the last one was sent.
         */
        retrieve<const F extends keyof T.SavedSearch = keyof T.SavedSearch>(savedSearchId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.SavedSearch, F>>;
        /**
         * Update a saved search.
         * `active` pauses and resumes the search. Pausing also cancels a listing alert that is waiting to be sent. The first alert after the pause includes what was missed. `criteria` replaces all criteria.
         */
        update<const F extends keyof T.SavedSearch = keyof T.SavedSearch>(savedSearchId: string, body?: T.SavedSearchPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.SavedSearch, F>>;
        /**
         * Delete a saved search.
         * You cannot restore it. A listing alert that is waiting to be sent is cancelled.
         */
        delete(savedSearchId: string, options?: CallOptions): Promise<T.Removal>;
        matches: {
            /**
             * List the listings that match a saved search.
             * Returns all matching listings that are on the market now, as the emails show them, whether or not they have been sent.
             */
            list<const F extends keyof T.MatchingListing = keyof T.MatchingListing>(savedSearchId: string, query?: Filters<T.SavedSearchesMatchesListData> & Fields<F>, options?: CallOptions): List<Picked<T.MatchingListing, F>>;
        };
    };
    senders: {
        /**
         * List senders.
         * Returns the numbers and addresses that messages come from, newest first.
         */
        list<const F extends keyof T.Sender = keyof T.Sender>(query?: Filters<T.SendersListData> & Fields<F>, options?: CallOptions): List<Picked<T.Sender, F>>;
        /**
         * Add a sender.
         * The first sender of a channel is its default. The provider reports the `registration` states. You can set them only if the connection is simulated, and only to known values.
         */
        create<const F extends keyof T.Sender = keyof T.Sender>(body: T.SenderDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Sender, F>>;
        /**
         * Retrieve a sender.
         * A sender is a number or an address that messages come from. `registration` says how far its registration with the carriers is.
         */
        retrieve<const F extends keyof T.Sender = keyof T.Sender>(senderId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Sender, F>>;
        /**
         * Update a sender.
         * `is_default: true` replaces the current default of the channel. Members of `registration` that you omit keep their values.
         */
        update<const F extends keyof T.Sender = keyof T.Sender>(senderId: string, body?: T.SenderPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Sender, F>>;
        /**
         * Refresh a sender.
         * Asks the provider about the `registration` now; for WhatsApp, also about the message templates of the account. States and templates that the provider does not report stay as they are. Gable asks every hour anyway, except about simulated connections.
         */
        refresh<const F extends keyof T.Sender = keyof T.Sender>(senderId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Sender, F>>;
    };
    suppressions: {
        /**
         * List suppressions.
         * Lists opt-outs and other reasons not to contact a number, an address, or a contact, newest first, including lifted ones. Gable stores numbers and addresses only as keyed hashes and never shows them. With `contacts:read:pii`, you can filter by `phone` or `email`.
         */
        list<const F extends keyof T.Suppression = keyof T.Suppression>(query?: Filters<T.SuppressionsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Suppression, F>>;
        /**
         * Suppress a person.
         * Takes effect with the response; no message starts sending after that. Also applies to numbers and addresses that the person no longer has. If the suppression already exists, the response is 200; an opt-out gets any missing channels.
         */
        create<const F extends keyof T.Suppression = keyof T.Suppression>(body: T.SuppressionDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Suppression, F>>;
        /**
         * Count suppressions.
         * Takes the filters of `GET /suppressions`, and counts up to 10000 records.
         */
        count(query?: Filters<T.SuppressionsCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a suppression.
         * Which number, address, or contact may not be contacted, on which channels, and since when. The number or address itself is not stored.
         */
        retrieve<const F extends keyof T.Suppression = keyof T.Suppression>(suppressionId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Suppression, F>>;
        /**
         * Lift a suppression.
         * Lifts an opt-out for all its channels. Gable keeps the record. Other suppressions of the same person stay in effect.
         */
        lift<const F extends keyof T.Suppression = keyof T.Suppression>(suppressionId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Suppression, F>>;
    };
    tasks: {
        /**
         * List tasks.
         * Newest first. Omits deleted tasks.
         */
        list<const F extends keyof T.Task = keyof T.Task>(query?: Filters<T.TasksListData> & Fields<F>, options?: CallOptions): List<Picked<T.Task, F>>;
        /**
         * Create a task.
         * If an identical task was created within the last 60 seconds, the response is that task, with status 200 and `created` set to false.
         */
        create<const F extends keyof T.CreatedTask = keyof T.CreatedTask>(body: T.TaskDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.CreatedTask, F>>;
        /**
         * Count tasks.
         * Takes the filters of `GET /tasks`, and counts up to 10000 records.
         */
        count(query?: Filters<T.TasksCountData>, options?: CallOptions): Promise<T.Count>;
        /**
         * Retrieve a task.
         * Completed tasks are included. Deleted tasks are a 404 until they are restored.
         */
        retrieve<const F extends keyof T.Task = keyof T.Task>(taskId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Task, F>>;
        /**
         * Update a task.
         * To make sure that you do not overwrite a change that you have not seen, send `If-Match`.
         */
        update<const F extends keyof T.Task = keyof T.Task>(taskId: string, body?: T.TaskPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Task, F>>;
        /**
         * Delete a task.
         * You can restore it for 30 days.
         */
        delete(taskId: string, options?: CallOptions): Promise<T.Removal>;
        /**
         * Complete a task.
         * A completed task stays unchanged.
         */
        complete<const F extends keyof T.Task = keyof T.Task>(taskId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Task, F>>;
        /**
         * Restore a deleted task.
         * The task comes back as it was when it was deleted.
         */
        restore<const F extends keyof T.Task = keyof T.Task>(taskId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Task, F>>;
    };
    teams: {
        /**
         * List teams.
         * Teams group members across offices. A team lead sees the records of the members of their teams.
         */
        list<const F extends keyof T.Team = keyof T.Team>(query?: Filters<T.TeamsListData> & Fields<F>, options?: CallOptions): List<Picked<T.Team, F>>;
        /**
         * Create a team.
         * Add members afterwards, with `POST /teams/{id}/members`.
         */
        create<const F extends keyof T.Team = keyof T.Team>(body: T.TeamDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Team, F>>;
        /**
         * Retrieve a team.
         * The team with the IDs of its members.
         */
        retrieve<const F extends keyof T.Team = keyof T.Team>(teamId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Team, F>>;
        /**
         * Update a team.
         * Changes the name. Members are added and removed under `/teams/{id}/members`.
         */
        update<const F extends keyof T.Team = keyof T.Team>(teamId: string, body?: T.TeamPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Team, F>>;
        members: {
            /**
             * Add a member to a team.
             * A team lead sees the records of all members of their teams. Adding a member twice changes nothing.
             */
            create<const F extends keyof T.Team = keyof T.Team>(teamId: string, body: T.TeamMemberDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.Team, F>>;
            /**
             * Remove a member from a team.
             * The response is the team without the member.
             */
            delete<const F extends keyof T.Team = keyof T.Team>(teamId: string, memberId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Team, F>>;
        };
    };
    templates: {
        /**
         * List message templates.
         * Newest first. Only approved templates can be sent.
         */
        list<const F extends keyof T.MessageTemplate = keyof T.MessageTemplate>(query?: Filters<T.TemplatesListData> & Fields<F>, options?: CallOptions): List<Picked<T.MessageTemplate, F>>;
        /**
         * Add a message template.
         * Records a template of a WhatsApp account. WhatsApp reports its status. You can set the status only if the connection is simulated.
         */
        create<const F extends keyof T.MessageTemplate = keyof T.MessageTemplate>(body: T.MessageTemplateDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.MessageTemplate, F>>;
        /**
         * Retrieve a message template.
         * `status` says whether the provider has approved the template for sending.
         */
        retrieve<const F extends keyof T.MessageTemplate = keyof T.MessageTemplate>(templateId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.MessageTemplate, F>>;
        /**
         * Update a message template.
         * After a change of its text or category, a template waits for approval again.
         */
        update<const F extends keyof T.MessageTemplate = keyof T.MessageTemplate>(templateId: string, body?: T.MessageTemplatePatch, options?: CallOptions & Fields<F>): Promise<Picked<T.MessageTemplate, F>>;
    };
    testClock: {
        /**
         * Read the test clock.
         * Returns the time in the workspace. Without test mode, it is the real time.
         */
        retrieve(options?: CallOptions): Promise<T.TestClock>;
        /**
         * Turn the test clock forward.
         * Moves the time in a workspace in test mode forward, by at most 366 days a call and ten years in all. Messages that wait for a quiet hour to end, waits of automations, offers, tasks, and retries become due as if the time had passed; what is due starts within seconds, and periodic work within a minute. Credentials, rate limits, idempotency keys, and retention keep the real time. Send either `advance` or `now`.
         */
        create(body?: T.TestClockTurn, options?: CallOptions): Promise<T.TestClock>;
    };
    webhooks: {
        /**
         * List webhooks.
         * Newest first. An OAuth app sees and manages only the webhooks that it created.
         */
        list<const F extends keyof T.Webhook = keyof T.Webhook>(query?: Filters<T.WebhooksListData> & Fields<F>, options?: CallOptions): List<Picked<T.Webhook, F>>;
        /**
         * Create a webhook.
         * The response shows the signing secret, which is never shown again. The webhook keeps the scopes of the credential that creates it and receives only events that these scopes cover.
         */
        create<const F extends keyof T.WebhookWithSecret = keyof T.WebhookWithSecret>(body: T.WebhookDraft, options?: CallOptions & Fields<F>): Promise<Picked<T.WebhookWithSecret, F>>;
        /**
         * Retrieve a webhook.
         * The secret is shown only when the webhook is created and when the secret is rotated.
         */
        retrieve<const F extends keyof T.Webhook = keyof T.Webhook>(webhookId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Webhook, F>>;
        /**
         * Update a webhook.
         * Changing the URL requires a credential with all of the webhook's scopes; pending deliveries go to the new URL.
         */
        update<const F extends keyof T.Webhook = keyof T.Webhook>(webhookId: string, body?: T.WebhookPatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Webhook, F>>;
        /**
         * Delete a webhook.
         * No further events are sent, and pending deliveries are dropped.
         */
        delete(webhookId: string, options?: CallOptions): Promise<T.Removal>;
        deliveries: {
            /**
             * List deliveries.
             * Deliveries of the last 30 days, newest first.
             */
            list<const F extends keyof T.Delivery = keyof T.Delivery>(webhookId: string, query?: Filters<T.WebhooksDeliveriesListData> & Fields<F>, options?: CallOptions): List<Picked<T.Delivery, F>>;
            /**
             * Retrieve a delivery.
             * Includes the payload, every attempt, and the responses of the endpoint.
             */
            retrieve<const F extends keyof T.DeliveryWithAttempts = keyof T.DeliveryWithAttempts>(webhookId: string, deliveryId: string, query?: Fields<F>, options?: CallOptions): Promise<Picked<T.DeliveryWithAttempts, F>>;
            /**
             * Resend a delivery.
             * Sends the same `event_id` and the same bytes. A delivery that is over starts a new round of up to six attempts. One that waits for its next attempt is due now, and keeps its count of attempts.
             */
            redeliver<const F extends keyof T.Delivery = keyof T.Delivery>(webhookId: string, deliveryId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.Delivery, F>>;
        };
        /**
         * Resend failed and waiting deliveries.
         * Resends every delivery of events that occurred since a time, oldest first: failed ones in a new round of attempts, and ones that wait for their next attempt now.
         */
        recover(webhookId: string, body: T.Recovery, options?: CallOptions): Promise<T.RecoveryStarted>;
        /**
         * Rotate the signing secret.
         * The response shows the new secret, which is never shown again. For 24 hours deliveries are signed with both secrets: `X-Webhook-Signature` with the new one, `X-Webhook-Signature-Previous` with the old one, and `webhook-signature` with each.
         */
        rotateSecret<const F extends keyof T.WebhookWithSecret = keyof T.WebhookWithSecret>(webhookId: string, options?: CallOptions & Fields<F>): Promise<Picked<T.WebhookWithSecret, F>>;
        /**
         * Send a test event.
         * Sends an example of an event with `test: true` in its data. The delivery appears in the list of deliveries.
         */
        test<const F extends keyof T.Delivery = keyof T.Delivery>(webhookId: string, body?: T.WebhookTest, options?: CallOptions & Fields<F>): Promise<Picked<T.Delivery, F>>;
    };
    workspace: {
        /**
         * Retrieve the workspace.
         * Returns the workspace of the credential.
         */
        retrieve<const F extends keyof T.Workspace = keyof T.Workspace>(query?: Fields<F>, options?: CallOptions): Promise<Picked<T.Workspace, F>>;
        /**
         * Update the workspace.
         * Existing records keep their currency and their times.
         */
        update<const F extends keyof T.Workspace = keyof T.Workspace>(body?: T.WorkspacePatch, options?: CallOptions & Fields<F>): Promise<Picked<T.Workspace, F>>;
    };
}
/** Every event that a webhook can deliver. Narrow it by `event`. */
export type WebhookEvent = T.AiHandedOffPayload | T.AppointmentBookedPayload | T.AppointmentOutcomePayload | T.AppointmentRescheduledPayload | T.AppointmentUpdatedPayload | T.TaskCompletedPayload | T.TaskCreatedPayload | T.CallBlockedPayload | T.CallCancelledPayload | T.CallCompletedPayload | T.CallUpdatedPayload | T.CampaignStatusChangedPayload | T.ContactCreatedPayload | T.ContactDuplicateFoundPayload | T.ContactStageChangedPayload | T.ContactTagAddedPayload | T.ContactUpdatedPayload | T.DealCreatedPayload | T.DealStageChangedPayload | T.DealUpdatedPayload | T.WebhookTestPayload | T.DocumentSignedPayload | T.AutomationEndedPayload | T.AutomationRunPayload | T.LeadConsentRevokedPayload | T.LeadAssignedPayload | T.LeadCreatedPayload | T.LeadOfferedPayload | T.LeadStatusChangedPayload | T.LeadWaitingPayload | T.ListingPriceChangedPayload | T.ListingStatusChangedPayload | T.MessageBlockedPayload | T.MessageCancelledPayload | T.MessageDeliveredPayload | T.MessageFailedPayload | T.MessageReceivedPayload | T.MessageSentPayload | T.MessageUnknownPayload | T.SavedSearchSentPayload | T.WebhookDisabledPayload;
/**
 * The kinds of operations, the first for the letter a: the HTTP method, the verb, unless it is the last word of the path, and
 * what the operation takes: `q` a query, `b` a body. `p` returns pages, `s` changes nothing.
 */
export declare const kinds = "GET list qp|GET retrieve q|PATCH update b|GET retrieve |POST create b|POST  |GET  q|DELETE delete |GET  |POST  bs|POST  b|GET list q|GET list p|PUT update b";
/** Each path with the letters of its operations. */
export declare const routes = "agents a|agents/* bc|ai-settings dc|api-keys ae|api-keys/* b|api-keys/*/revoke f|appointments ae|appointments/count g|appointments/* bc|apps ae|apps/* bch|apps/*/disable f|apps/*/enable f|apps/*/rotate-secret f|audit-log a|automation-changes/* b|automations ae|automations/count g|automations/schema i|automations/validate j|automations/* bc|automations/*/backfills ae|automations/*/changes a|automations/*/disable k|automations/*/dry-run j|automations/*/enable f|automations/*/enroll k|automations/*/enrollments a|automations/*/entries a|automations/*/explain j|automations/*/migrate k|automations/*/publish f|automations/*/versions a|availability a|backfills/* bc|backfills/*/contacts a|calendar l|calls ae|calls/count g|calls/preflight j|calls/* bc|calls/*/cancel f|campaigns ae|campaigns/count g|campaigns/* bc|campaigns/*/cancel f|campaigns/*/pause f|campaigns/*/recipients a|campaigns/*/resume f|campaigns/*/schedule k|campaigns/*/start f|campaigns/*/summary f|campaigns/*/test k|campaigns/*/unschedule f|compliance-settings dc|connections ae|connections/* bc|connections/*/disconnect f|connections/*/test f|contacts ae|contacts/batch k|contacts/count g|contacts/* bch|contacts/*/ai k|contacts/*/enrollments a|contacts/*/events a|contacts/*/evidence i|contacts/*/notes ae|contacts/*/reachability i|conversations a|conversations/count g|conversations/* b|deals ae|deals/count g|deals/* bch|deals/*/restore f|documents ae|documents/count g|documents/* bc|documents/*/void k|enrollments/* bc|event-types m|events a|events/count g|events/* b|events/*/deliveries a|generations a|generations/count g|generations/* b|grants a|grants/* bh|invitations ae|invitations/* bh|leads ae|leads/batch k|leads/count g|leads/routing-preview j|leads/* bc|leads/*/assign k|leads/*/claim k|leads/*/consent h|leads/*/routing a|listings ae|listings/batch k|listings/count g|listings/* bch|listings/*/fair-housing-acknowledgment k|listings/*/restore f|me dc|members a|members/count g|members/* bc|messages ae|messages/count g|messages/preflight j|messages/* d|messages/*/approve k|messages/*/cancel f|messages/*/resend f|offices ae|offices/* bc|openapi.json d|personas ae|personas/* bch|personas/*/versions a|ping d|pipelines ae|pipelines/* bc|pipelines/*/board g|requests a|requests/* d|routing-rules dn|routing-rules/schema i|routing-rules/test j|routing-rules/validate j|routing-rules/versions a|routing-rules/versions/* b|saved-searches ae|saved-searches/count g|saved-searches/* bch|saved-searches/*/matches a|senders ae|senders/* bc|senders/*/refresh f|suppressions ae|suppressions/count g|suppressions/* b|suppressions/*/lift f|tasks ae|tasks/count g|tasks/* bch|tasks/*/complete f|tasks/*/restore f|teams ae|teams/* bc|teams/*/members e|teams/*/members/* h|templates ae|templates/* bc|test-clock de|webhooks ae|webhooks/* bch|webhooks/*/deliveries a|webhooks/*/deliveries/* b|webhooks/*/deliveries/*/redeliver f|webhooks/*/recover k|webhooks/*/rotate-secret f|webhooks/*/test k|workspace bc";
export {};

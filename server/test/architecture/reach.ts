import { templatesIn } from './queries.ts'
import { type Source, at, isTest, visit } from './source.ts'

/** Tables of records that belong to members. A new table of this kind needs a policy `reach` and an entry here. */
export const recordTables = [
  'contacts',
  'contact_points',
  'contact_external_ids',
  'leads',
  'lead_consents',
  'events',
  'event_timelines',
  'conversations',
  'messages',
  'message_attempts',
  'calls',
  'call_transcripts',
  'appointments',
  'appointment_persons',
  'appointment_invitations',
  'calendar_pushes',
  'tasks',
  'deals',
  'deal_contacts',
  'deal_dates',
  'documents',
  'document_persons',
  'saved_searches',
  'saved_search_digests',
  'enrollments',
  'enrollment_steps',
  'automation_entries',
  'backfill_contacts',
] as const

const reading = new RegExp(
  String.raw`\b(?:from|join|update|delete\s+from)\s+(?:only\s+)?(?:${recordTables.join('|')})\b`,
  'i',
)
const limited = /\b(?:within|inReach|findReachable|reachSetting)\(/

/** Statements that need no reach, by file and the function or constant that holds them, with the reason. */
export const unlimited: Readonly<Record<string, string>> = {
  'leads/queries.ts consentColumns': 'A fragment; each statement with it adds the reach.',
  'leads/queries.ts withConsent': 'A fragment; each statement with it adds the reach.',
  'leads/queries.ts consented': 'A fragment; each statement with it adds the reach.',
  'leads/queries.ts eraseConsents': 'The caller has locked the leads.',
  'contacts/point-queries.ts assignDoubles': 'For a job, whose reach is everything.',
  'contacts/point-queries.ts earlierHolders': 'For a job, whose reach is everything.',
  'contacts/point-queries.ts listHeldTimes': 'The caller has found the contact within reach.',
  'contacts/point-queries.ts markDoubles': 'The caller has locked the contact.',
  'contacts/point-queries.ts retirePoints': 'The caller has locked the contact.',
  'contacts/external-id-queries.ts deleteOtherIds': 'The caller has locked the contact.',
  'contacts/external-id-queries.ts eraseExternalIds': 'The caller has locked the contact.',
  'contacts/point-queries.ts deletePoints': 'The caller has locked the contact.',
  'contacts/point-queries.ts findWrittenForm':
    'Who a person is does not depend on who asks; it runs unrestricted.',
  'contacts/point-queries.ts fromHolders':
    'Who a person is does not depend on who asks; it runs unrestricted.',
  'contacts/point-queries.ts listContactPoints':
    'Who a person is does not depend on who asks; it runs unrestricted.',
  'contacts/point-queries.ts listFormerHolders':
    'What holds against a person does not depend on who asks; it runs unrestricted.',
  'journal/queries.ts listErasures': 'For a worker, whose reach is everything.',
  'board/queries.ts findFirst':
    'Which deals are neighbors does not depend on who asks; it runs unrestricted.',
  'board/queries.ts findNext': 'Which deals are neighbors does not depend on who asks; it runs unrestricted.',
  'board/queries.ts findLast': 'Which deals are neighbors does not depend on who asks; it runs unrestricted.',
  'board/queries.ts listOrder': 'The order of a stage does not depend on who asks; it runs unrestricted.',
  'board/queries.ts saveOrder': 'The order of a stage does not depend on who asks; it runs unrestricted.',
  'board/queries.ts lockDealsIn': 'A stage goes with the deals of everyone; it runs unrestricted.',
  'board/queries.ts moveToStage': 'A stage goes with the deals of everyone; it runs unrestricted.',
  'deals/pipeline-queries.ts listUsedStages':
    'Whether a stage is in use does not depend on who asks; it runs unrestricted.',
  'contacts/queries.ts listNamedInstead': 'An erasure, which runs unrestricted.',
  'contacts/queries.ts listUnlocked': 'A check of tests.',
  'deals/queries.ts listContactsOfDeal':
    'Contacts to lock before the deal, which is then locked within the reach.',
  'deals/queries.ts lockDealsOf': 'An erasure, which runs unrestricted.',
  'deals/queries.ts ofContact': 'The list that it is part of applies the reach.',
  'deals/date-queries.ts saveDates': 'The caller has locked the deal.',
  'deals/queries.ts saveDeal': 'The caller has locked the deal.',
  'messages/queries.ts findMessageOfAttempt': 'For what a provider reports, whose reach is everything.',
  'messages/queries.ts findResendOf': 'Whether a message was sent again does not depend on who asks.',
  'messages/queries.ts endAttempt': 'For the worker that sends, whose reach is everything.',
  'messages/queries.ts recordDelay': 'For what a provider reports, whose reach is everything.',
  'messages/queries.ts countUnclear': 'For the worker that sends, whose reach is everything.',
  'messages/queries.ts findLastReceived': 'Which message a reply continues does not depend on who asks.',
  'email/queries.ts listThreads': 'For the worker that sends, whose reach is everything.',
  'email/queries.ts countBounces': 'For what a provider reports, whose reach is everything.',
  'erasure/queries.ts listConversationIdsOf': 'An erasure, which runs unrestricted.',
  'erasure/queries.ts listMessageIdsOf': 'An erasure, which runs unrestricted.',
  'erasure/queries.ts eraseMessagesById': 'An erasure, which runs unrestricted.',
  'erasure/queries.ts eraseAttempts': 'An erasure, or what a provider reports: both run unrestricted.',
  'erasure/queries.ts eraseOldSuggestions': 'Retention, which runs unrestricted.',
  'erasure/queries.ts listUnerased': 'Retention, which runs unrestricted.',
  'erasure/queries.ts lockFreeMessages': 'Retention, which runs unrestricted.',
  'erasure/queries.ts eraseConversations': 'An erasure, which runs unrestricted.',
  'conversations/conversation-queries.ts conversationsFor': 'The list that it is part of applies the reach.',
  'conversations/conversation-queries.ts findLastSender':
    'Which sender a person knows does not depend on who asks.',
  'conversations/conversation-queries.ts findLastWrittenTo':
    'Whose message it is does not depend on who asks.',
  'conversations/conversation-queries.ts listLastSenders':
    'Which sender a person knows does not depend on who asks.',
  'conversations/conversation-queries.ts listLastInbound':
    'What the gates must know does not depend on who asks.',
  'media/queries.ts claimMedia': 'For a job, whose reach is everything.',
  'media/queries.ts listMediaDue': 'For a job, whose reach is everything.',
  'messages/queries.ts assignMessages': 'For a job, whose reach is everything.',
  'messages/queries.ts listUnassigned':
    'What was written to a contact does not depend on who wrote it; it runs unrestricted.',
  'messages/queries.ts outboundTo': 'What the gates must know does not depend on who asks.',
  'messages/queries.ts findByProviderId': 'For what a provider reports, whose reach is everything.',
  'inbound/queries.ts listRecorded': 'For what a provider reports, whose reach is everything.',
  'inbound/queries.ts listWithoutFinalStatus': 'A periodic job sees all records.',
  'inbound/queries.ts markStatusSought': 'For what a provider reports, whose reach is everything.',
  'inbound/queries.ts countHelps': 'For what a provider reports, whose reach is everything.',
  'inbound/queries.ts listOurTexts': 'For what a provider reports, whose reach is everything.',
  'calls/queries.ts assignCalls': 'For a job, whose reach is everything.',
  'calls/queries.ts findTranscript': 'The caller has found the call within reach.',
  'calls/queries.ts deleteTranscripts': 'An erasure, which runs unrestricted.',
  'messages/queries.ts listMarketingCounts': 'What the gates must know does not depend on who asks.',
  'calls/queries.ts saveNextLookAtCall': 'The caller has locked the call.',
  'calls/queries.ts listDueCalls': 'For a job, whose reach is everything.',
  'calls/queries.ts listCallsWithoutSummary': 'For a job, whose reach is everything.',
  'calendar/appointment-queries.ts ofContact': 'The list that it is part of applies the reach.',
  'calendar/appointment-queries.ts saveAppointment': 'The caller has locked the appointment.',
  'invitations/invitation-queries.ts listSentInvitations':
    'For the job that sends them, whose reach is everything.',
  'invitations/invitation-queries.ts saveResponse': 'For what a provider reports, whose reach is everything.',
  'invitations/invitation-queries.ts listResponses': 'The caller has found the appointments within reach.',
  'invitations/invitation-queries.ts deleteInvitations': 'An erasure, which runs unrestricted.',
  'feed/feed-queries.ts listForFeed':
    'What one member hosts or has booked, for the address of their calendar.',
  'push/push-queries.ts listPushes': 'The caller has found the appointments within reach.',
  'push/push-queries.ts markPending': 'The caller has locked the appointment.',
  'push/push-queries.ts claimPush': 'For the job that pushes, whose reach is everything.',
  'push/push-queries.ts lockPush': 'For the job that pushes, whose reach is everything.',
  'push/push-queries.ts savePush': 'For the job that pushes, whose reach is everything.',
  'push/push-queries.ts deletePush': 'For the job that pushes, whose reach is everything.',
  'push/push-queries.ts deletePushesOf': 'For the calendar of one member.',
  'push/push-queries.ts listUpcoming': 'For the calendar of one member.',
  'push/push-queries.ts failPush': 'For the calendar of one member.',
  'push/push-queries.ts listDuePushes': 'A periodic job sees all records.',
  'push/push-queries.ts listUnfinished': 'For the calendar of one member.',
  'push/push-queries.ts countPushesBefore': 'For an operator, whose reach is everything.',
  'push/push-queries.ts dropPushes': 'For an operator, whose reach is everything.',
  'campaigns/recipient-queries.ts recipients': 'Takes the contacts in reach.',
  'backfills/queries.ts saveBackfillContact': 'For the engine, whose reach is everything.',
  'backfills/queries.ts postponeContacts': 'For the engine, whose reach is everything.',
  'backfills/queries.ts leaveOutWaiting': 'A cancellation, which runs unrestricted.',
  'backfills/queries.ts eraseBackfillContact': 'An erasure, which runs unrestricted.',
  'documents/queries.ts findAttached': 'Whether a document is attached already does not depend on who asks.',
  'documents/queries.ts listDueDocuments': 'For a job, whose reach is everything.',
  'documents/queries.ts listOpenOfConnection': 'For the start of the server, whose reach is everything.',
  'documents/queries.ts saveDocument': 'The caller has locked the document.',
  'documents/queries.ts saveNextLook': 'The caller has locked the document.',
  'documents/queries.ts signedBy': 'The list that it is part of applies the reach.',
  'tasks/queries.ts insertUnlessKnown': 'Whether a task is a repetition does not depend on who asks.',
  'saved-searches/queries.ts saveSearch': 'The caller has locked the search.',
  'saved-searches/queries.ts postponeSearch': 'For the job that sends, whose reach is everything.',
  'saved-searches/queries.ts listDueSearches': 'For the job that sends, whose reach is everything.',
  'saved-searches/queries.ts deleteSearch': 'The caller has locked the search.',
  'saved-searches/digest-queries.ts hasDigest': 'For the job that sends, whose reach is everything.',
  'saved-searches/digest-queries.ts findDigestOf': 'For what a message became, whose reach is everything.',
  'saved-searches/digest-queries.ts markSent': 'For what a message became, whose reach is everything.',
  'saved-searches/digest-queries.ts markFailed': 'For what a message became, whose reach is everything.',
  'saved-searches/digest-queries.ts findWaiting': 'The caller has found the search within reach.',
  'events/journal.ts addToTimelines': 'The caller has found the deal and the contacts within reach.',
  'events/journal.ts listTimelineAfter': 'The engine of automations moves all contacts of a workspace.',
  'events/journal.ts listTimeline': 'The caller has found the contact within reach.',
  'events/journal.ts listJournal': 'Takes the timelines in reach.',
  'events/journal.ts listAuditEvents':
    'Requires settings:manage, which only roles with a reach of everything have.',
  'events/journal.ts listEventIds': 'For the command line, whose reach is everything.',
  'events/journal.ts listEvents': 'For deliveries and the command line, whose reach is everything.',
  'events/journal.ts idsOn': 'For erasures, which run unrestricted.',
  'events/journal.ts onOneOf': 'Takes the timelines in reach.',
  'events/journal.ts timelineEvents': 'For erasures, which run unrestricted.',
  'events/journal.ts scrubTimeline': 'An erasure, which runs unrestricted.',
}

/** Every statement that reads or changes records, with whether it applies the reach. */
export const recordStatements = (
  sources: readonly Source[],
): { key: string; place: string; limits: boolean }[] =>
  templatesIn(sources)
    .filter(({ text }) => reading.test(text) || /\$\{consented\(/.test(text))
    .map(({ key, place, text }) => ({ key, place, limits: limited.test(text) }))

/** Statements on records that do not apply the reach. */
export const withoutReach = (sources: readonly Source[]): string[] =>
  recordStatements(sources)
    .filter(({ key, limits }) => !limits && unlimited[key] === undefined)
    .map(({ key, place }) => `${place}${key} reads or changes records without their reach`)

const modules = 'server/src/modules/'

/** The files of modules that act beyond the reach of who asks, by the reason. */
export const beyondReach: Readonly<Record<string, readonly string[]>> = {
  'The caller has found the record within reach. What the change brings with it does not depend on who asks, and it may take the record out of reach.':
    [
      'backfills/change-backfill.ts',
      'backfills/run.ts',
      'calendar/appointments/update-appointment.ts',
      'calendar/tasks/update-task.ts',
      'calls/update-call.ts',
      'contacts/erase-contact.ts',
      'contacts/update-contact.ts',
      'deals/update-deal.ts',
      'documents/update-document.ts',
      'enrollments/change-enrollment.ts',
      'leads/assign-lead.ts',
      'leads/claim-lead.ts',
      'leads/revoke-consent.ts',
      'leads/set-status.ts',
      'messages/approval/approve-message.ts',
      'saved-searches/update-search.ts',
    ],
  'Locks contacts before what names them. Which ones a record names does not depend on who asks.': [
    'calls/lock-person.ts',
    'compliance/lift-suppression.ts',
    'contacts/lock-named.ts',
    'contacts/lock-persons.ts',
    'documents/lock.ts',
    'enrollments/enroll.ts',
    'leads/lock.ts',
    'messages/queue/lock-contacts.ts',
    'messages/resend-message.ts',
  ],
  'Whose a number is, and what holds against the person, does not depend on who asks.': [
    'calls/place-call.ts',
    'calls/plan-call.ts',
    'reachability/reachability.ts',
    'compliance/ledger/find-evidence.ts',
    'compliance/record-suppressions.ts',
    'compliance/suppress.ts',
    'contacts/holders.ts',
    'contacts/pause-ai.ts',
    'evidence/collect-evidence.ts',
    'leads/capture-lead.ts',
    'leads/recipients.ts',
    'messages/audience/judge-sends.ts',
    'messages/plan-message.ts',
    'messages/recipient.ts',
    'messages/send-message.ts',
  ],
  'A rehearsal judges as the engine will.': [
    'enrollments/dry-run/run-dry.ts',
    'enrollments/entries/explain-entry.ts',
    'enrollments/steps/ai-message.ts',
  ],
  'What a workspace shares concerns the records of everyone: an order, a limit, whether something is in use.':
    [
      'backfills/changes/start-change.ts',
      'calls/connections/require-no-open-calls.ts',
      'deals/board/order.ts',
      'deals/pipeline-queries.ts',
      'deals/pipelines/move-deals.ts',
      'documents/create-document.ts',
      'listings/save-rows.ts',
    ],
  'Applies the reach itself: to the contacts of an audience, a captured lead, a file.': [
    'campaigns/summarize.ts',
    'campaigns/test-campaign.ts',
    'files/download-route.ts',
    'leads/endpoints.ts',
  ],
  'The deliveries of a workspace concern the records of everyone, and show nothing of them.': [
    'deliveries/endpoints.ts',
  ],
  'The calendar of the member who asks.': [
    'calendar/pages/calendar-page.ts',
    'calendar/push/connect-calendar.ts',
  ],
}

/** Uses of `unrestricted()` and `lookups()` in modules, by file. */
export const usesBeyondReach = (sources: readonly Source[]): { file: string; place: string }[] =>
  sources
    .filter((source) => source.path.startsWith(modules) && !isTest(source))
    .flatMap((source) => {
      const found: { file: string; place: string }[] = []
      visit(source, {
        CallExpression: ({ callee, start }) => {
          if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
          const { name } = callee.property
          if (name !== 'unrestricted' && name !== 'lookups') return
          const message = `${name}() goes beyond the reach of who asks, and beyondReach has no reason`
          found.push({ file: source.path.slice(modules.length), place: at(source, start, message) })
        },
      })
      return found
    })

export const undeclaredUses = (sources: readonly Source[]): string[] => {
  const declared = new Set(Object.values(beyondReach).flat())
  return usesBeyondReach(sources).flatMap(({ file, place }) => (declared.has(file) ? [] : [place]))
}

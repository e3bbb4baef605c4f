/** Attaches an iCalendar object to an email (RFC 6047), as an alternative and as a file. */
export const invitation = (content: string) => ({
  method: /^METHOD:(\w+)\r?$/m.exec(content)?.[1] ?? 'PUBLISH',
  filename: 'invite.ics',
  content,
})

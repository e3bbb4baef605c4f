/** An object of iCalendar as a mail carries it (RFC 6047): as one of its forms, and as a file. */
export const invitation = (content: string) => ({
  method: /^METHOD:(\w+)\r?$/m.exec(content)?.[1] ?? 'PUBLISH',
  filename: 'invite.ics',
  content,
})

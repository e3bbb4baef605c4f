/** How much of a mail is read. The rest is cut off, but the mail is still recorded. */
export const mailLimits = {
  /** Bytes of the mail, including headers and attachments. */
  bytes: 5 * 1024 * 1024,
  /** Bytes of all headers together. */
  headerBytes: 256 * 1024,
  /** Lines of the mail, and those that could start a part. */
  lines: 20_000,
  partLines: 2000,
  /** Nesting depth of parts and of forwarded mails. */
  depth: 32,
  forwardedDepth: 3,
  /** Characters of the text, of HTML to convert to text, and of the subject. */
  text: 50_000,
  html: 100_000,
  subject: 255,
  /** Maximum addresses, Message-IDs, and attachments to list. */
  recipients: 100,
  references: 100,
  attachments: 20,
}

/** What is read of a mail; the rest is cut off. A mail with more is recorded all the same. */
export const mailLimits = {
  /** Bytes of the mail, with headers and attachments. */
  bytes: 5 * 1024 * 1024,
  /** Bytes of all headers together. */
  headerBytes: 256 * 1024,
  /** Lines that may begin a part. */
  partLines: 2000,
  /** Parts within parts, and forwarded mails within each other. */
  depth: 32,
  forwardedDepth: 3,
  /** Characters of the text, of HTML that a text is made of, and of the subject. */
  text: 50_000,
  html: 500_000,
  subject: 255,
  /** Addresses, Message-IDs, and attachments that are named. */
  recipients: 100,
  references: 100,
  attachments: 20,
}

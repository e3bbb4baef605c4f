/** An account's number. Its ID is its digits. */
export interface BusinessNumber {
  id: string
  /** The access token. It also signs the webhooks, because the app secret is never sent. */
  token: string
  /** The webhook URL; empty until the account sets it. */
  url: string
}

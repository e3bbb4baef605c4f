/** `jane@example.com` → `j***@example.com`. */
export function maskEmail(email: string): string {
  const [first = ''] = email
  return `${first === '@' ? '' : first}***${email.slice(email.lastIndexOf('@'))}`
}

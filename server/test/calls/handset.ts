import { eventually } from '#test/support/eventually.ts'

/** A person's actions on a handset page. */
export function handsetOf(phoneUrl: string, number: string) {
  const page = `${phoneUrl}/${encodeURIComponent(number)}`
  const frame = async () => (await fetch(`${page}/calls`)).text()
  const post = (form: Record<string, string>) =>
    fetch(page, { method: 'POST', body: new URLSearchParams(form) })
  return {
    frame,
    call: (to: string, ring = 'yes') => post({ to, ring }),
    async press(form: Record<string, string>) {
      const [, call = ''] = /name="call" value="([^"]+)"/.exec(await frame()) ?? []
      return post({ call, ...form })
    },
    shows: (text: string) => eventually(async () => (await frame()).includes(text)),
  }
}

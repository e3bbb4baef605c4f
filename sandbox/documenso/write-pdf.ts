import type { SimulatedEnvelope } from './envelopes.ts'

/** The text for a PDF string: printable ASCII, with brackets escaped. */
const shown = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[^ -~]/g, '')
    .replaceAll(/[\\()]/g, '\\$&')

/** A one-page PDF with the title and who signed when. */
export function signedPdf({ title, recipients }: SimulatedEnvelope): string {
  const lines = [
    title,
    ...recipients.map(({ name, signedAt }) => `Signed by ${name}, ${signedAt ?? 'not yet'}`),
  ]
  const text = lines.map((line) => `(${shown(line)}) Tj T*`).join('\n')
  const stream = `BT /F1 14 Tf 22 TL 72 720 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const at = pdf.length
    pdf += `${i + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  return `${pdf}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
}

import { encode } from 'uqr'
import { type Html, html } from '../pages/public.ts'

/** A QR code, always dark on light: not every camera can read the reverse. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return html`<svg role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="232" height="232" shape-rendering="crispEdges">
<rect width="${size}" height="${size}" fill="#ffffff"/><path d="${dark.join('')}" fill="#000000"/>
</svg>`
}

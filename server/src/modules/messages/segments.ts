/** The characters of the GSM 7-bit alphabet (3GPP TS 23.038, 6.2.1), and those of its extension, which take two places each. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Set('^{}\\[~]|€\f')

/**
 * How many segments carriers split a text into. In the GSM alphabet, a single segment holds 160 characters, and each of
 * several 153. Any other text has 70 UTF-16 units in a single segment, and 67 in each of several. A character that
 * takes two places is never split.
 */
export function segmentsOf(text: string): number {
  const characters = [...text]
  const isGsm = characters.every((one) => basic.has(one) || extended.has(one))
  const placesOf = (one: string) => (isGsm ? 1 + Number(extended.has(one)) : one.length)
  const [single, part] = isGsm ? [160, 153] : [70, 67]
  if (characters.reduce((sum, one) => sum + placesOf(one), 0) <= single) return 1
  let parts = 1
  let used = 0
  for (const one of characters) {
    const places = placesOf(one)
    if (used + places > part) {
      parts++
      used = 0
    }
    used += places
  }
  return parts
}

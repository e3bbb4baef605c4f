/** In bytes. The largest that WhatsApp takes for pictures, audio, and video; its documents may be larger. */
export const maxMediaBytes = 16 * 2 ** 20

/** More files than a carrier puts into one message. */
export const maxMediaPerMessage = 10

type Is = (start: Buffer) => boolean

const begins =
  (text: string, at = 0): Is =>
  (start) =>
    start.toString('latin1', at, at + text.length) === text
const any =
  (...tests: Is[]): Is =>
  (start) =>
    tests.some((is) => is(start))
const isoMedia = begins('ftyp', 4)
const archive = begins('PK\x03\x04')
const oldOffice = begins('\xd0\xcf\x11\xe0')
const mpegAudio: Is = any(begins('ID3'), (start) => start[0] === 0xff && ((start[1] ?? 0) & 0xe0) === 0xe0)
/** Nothing that a browser would run. */
const text: Is = (start) => !/^\s*(?:<|\0)/.test(start.toString('latin1').replace(/^\xef\xbb\xbf/, ''))

/** The types that Gable stores: their extension, and how their content begins. HTML and SVG are not among them. */
const types: Readonly<Record<string, readonly [extension: string, is: Is]>> = {
  'image/jpeg': ['jpg', begins('\xff\xd8\xff')],
  'image/jpg': ['jpg', begins('\xff\xd8\xff')],
  'image/png': ['png', begins('\x89PNG\r\n')],
  'image/gif': ['gif', begins('GIF8')],
  'image/webp': ['webp', begins('WEBP', 8)],
  'image/heic': ['heic', isoMedia],
  'image/heif': ['heif', isoMedia],
  'image/bmp': ['bmp', begins('BM')],
  'image/tiff': ['tif', any(begins('II*\0'), begins('MM\0*'))],
  'audio/mpeg': ['mp3', mpegAudio],
  'audio/mp3': ['mp3', mpegAudio],
  'audio/mp4': ['m4a', isoMedia],
  'audio/aac': ['aac', any(mpegAudio, begins('ADIF'))],
  'audio/amr': ['amr', begins('#!AMR')],
  'audio/ogg': ['ogg', begins('OggS')],
  'audio/wav': ['wav', begins('WAVE', 8)],
  'audio/3gpp': ['3gp', isoMedia],
  'video/mp4': ['mp4', isoMedia],
  'video/3gpp': ['3gp', isoMedia],
  'video/quicktime': ['mov', any(isoMedia, begins('moov', 4), begins('mdat', 4))],
  'application/pdf': ['pdf', begins('%PDF-')],
  'text/vcard': ['vcf', text],
  'text/x-vcard': ['vcf', text],
  'text/directory': ['vcf', text],
  'text/calendar': ['ics', text],
  'text/plain': ['txt', text],
  'application/msword': ['doc', oldOffice],
  'application/vnd.ms-excel': ['xls', oldOffice],
  'application/vnd.ms-powerpoint': ['ppt', oldOffice],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx', archive],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx', archive],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx', archive],
}

/** A media type without parameters, in lower case: `audio/ogg; codecs=opus` is `audio/ogg`. */
export function bareType(contentType: string): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[a-z0-9.+-]{1,80}\/[a-z0-9.+-]{1,80}$/.test(type) ? type : 'application/octet-stream'
}

/** The extension of a type that Gable stores; undefined for any other type. */
export const extensionOf = (contentType: string): string | undefined => types[bareType(contentType)]?.[0]

/** Whether the content begins as its type says. `start`: its first bytes, at least 12 unless it is shorter. */
export const isOfType = (contentType: string, start: Buffer): boolean =>
  types[bareType(contentType)]?.[1](start) === true

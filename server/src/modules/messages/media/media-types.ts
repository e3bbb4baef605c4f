/** In bytes. The largest that WhatsApp takes for pictures, audio, and video; its documents may be larger. */
export const maxMediaBytes = 16 * 2 ** 20

/** More files than a carrier puts into one message. */
export const maxMediaPerMessage = 10

/** How many bytes of a file show what it is, unless it is shorter. */
export const shownBy = 32

type Is = (start: Buffer) => boolean

const begins =
  (text: string, at = 0): Is =>
  (start) =>
    start.toString('latin1', at, at + text.length) === text
const any =
  (...tests: Is[]): Is =>
  (start) =>
    tests.some((is) => is(start))

/** A file of ISO media: what it is, its brand says. */
const branded =
  (brands: RegExp): Is =>
  (start) =>
    start.toString('latin1', 4, 8) === 'ftyp' && brands.test(start.toString('latin1', 8, 12))
const heifBrand = branded(/^(?:hei[cxms]|hev[cxms]|mif1|msf1)/)
const avifBrand = branded(/^avi[fs]/)
/** Phones write sound and moving pictures with the same brands, so the stated type decides between them. */
const playedBrand = branded(/^(?!hei[cxms]|hev[cxms]|mif1|msf1|avi[fs]|crx )/)
const riff = (kind: string): Is => {
  const is = begins(kind, 8)
  return (start) => begins('RIFF')(start) && is(start)
}
const matroska = begins('\x1a\x45\xdf\xa3')
const advancedSystems = begins('\x30\x26\xb2\x75\x8e\x66\xcf\x11')
const archive = begins('PK\x03\x04')
const oldOffice = begins('\xd0\xcf\x11\xe0')
/** FF FE begins text in UTF-16. */
const mpegAudio: Is = any(
  begins('ID3'),
  ([first, second = 0]) => first === 0xff && (second & 0xe0) === 0xe0 && second !== 0xfe,
)
const withoutMark = (start: Buffer) =>
  start
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
/** Nothing that a browser would run. */
const text: Is = (start) => !/^[<\0]/.test(withoutMark(start))
const says =
  (word: string): Is =>
  (start) =>
    withoutMark(start).toUpperCase().startsWith(word)

interface MediaType {
  type: string
  /** The usual extension of its files, and others. */
  extensions: readonly string[]
  is: Is
  /** Whether the content alone shows this type, and none before it. */
  isShown: boolean
  /** Other names that phones, programs, and carriers use. */
  aliases: readonly string[]
}

const list = (words: string) => words.split(' ').filter((word) => word !== '')
const shown = (type: string, extensions: string, is: Is, aliases = ''): MediaType => ({
  type,
  extensions: list(extensions),
  is,
  isShown: true,
  aliases: list(aliases),
})
const stated = (...of: Parameters<typeof shown>): MediaType => ({ ...shown(...of), isShown: false })

/** The types that Gable stores. HTML, SVG, programs, and archives are not among them. */
const types: readonly MediaType[] = [
  shown(
    'image/jpeg',
    'jpg jpeg jfif',
    begins('\xff\xd8\xff'),
    'image/jpg image/pjpeg image/jfif image/x-jpeg',
  ),
  shown('image/png', 'png', begins('\x89PNG\r\n'), 'image/x-png image/apng'),
  shown('image/gif', 'gif', begins('GIF8')),
  shown('image/webp', 'webp', riff('WEBP'), 'image/x-webp'),
  shown('image/heic', 'heic', heifBrand, 'image/heic-sequence image/x-heic'),
  stated('image/heif', 'heif hif', heifBrand, 'image/heif-sequence image/x-heif'),
  shown('image/avif', 'avif', avifBrand, 'image/avif-sequence'),
  stated('image/bmp', 'bmp', begins('BM'), 'image/x-ms-bmp image/x-bmp'),
  shown('image/tiff', 'tif tiff', any(begins('II*\0'), begins('MM\0*')), 'image/tif image/x-tiff'),
  shown('image/jp2', 'jp2 jpx', begins('\0\0\0\x0cjP  '), 'image/jpx image/jpeg2000 image/jpeg2000-image'),
  shown('image/jxl', 'jxl', any(begins('\xff\x0a'), begins('\0\0\0\x0cJXL ')), ''),
  stated('image/x-icon', 'ico', begins('\0\0\x01\0'), 'image/vnd.microsoft.icon image/ico'),
  shown('audio/midi', 'mid midi', begins('MThd'), 'audio/mid audio/x-midi audio/sp-midi application/x-midi'),
  shown('audio/aiff', 'aif aiff aifc', any(begins('AIFF', 8), begins('AIFC', 8)), 'audio/x-aiff'),
  shown('audio/basic', 'au snd', begins('.snd'), 'audio/au audio/x-au'),
  shown('audio/qcelp', 'qcp', riff('QLCM'), 'audio/vnd.qcelp'),
  shown('audio/amr', 'amr', begins('#!AMR'), 'audio/amr-nb audio/amr-wb audio/x-amr audio/amr-wb+'),
  shown('audio/x-caf', 'caf', begins('caff'), 'audio/caf audio/x-coreaudio'),
  shown(
    'audio/ogg',
    'ogg opus oga',
    begins('OggS'),
    'audio/opus audio/x-opus+ogg audio/vorbis application/ogg',
  ),
  shown('audio/wav', 'wav', riff('WAVE'), 'audio/x-wav audio/wave audio/vnd.wave audio/x-pn-wav'),
  shown('audio/flac', 'flac', begins('fLaC'), 'audio/x-flac'),
  stated(
    'audio/aac',
    'aac',
    any(mpegAudio, begins('ADIF')),
    'audio/x-aac audio/aacp audio/x-hx-aac-adts audio/aac-adts audio/vnd.dlna.adts',
  ),
  shown(
    'audio/mpeg',
    'mp3',
    mpegAudio,
    'audio/mp3 application/mp3 audio/mpeg3 audio/x-mpeg audio/x-mp3 audio/mpg',
  ),
  shown('audio/mp4', 'm4a m4b', branded(/^M4[ABP] /), ''),
  stated(
    'audio/mp4',
    '',
    playedBrand,
    'audio/m4a audio/x-m4a audio/mp4a-latm audio/mp4a audio/m4b audio/x-m4b audio/x-m4p audio/x-mp4',
  ),
  stated('audio/3gpp', '3gp', playedBrand, 'audio/3gp'),
  stated('audio/3gpp2', '3g2', playedBrand, 'audio/3g2'),
  stated('audio/webm', 'weba', matroska),
  shown('video/3gpp', '3gp 3gpp', branded(/^3g[epgrs]?[4-9]/), 'video/3gp video/x-3gp'),
  shown('video/3gpp2', '3g2 3gpp2', branded(/^3g2/), 'video/3g2'),
  shown(
    'video/quicktime',
    'mov qt',
    any(branded(/^qt/), begins('moov', 4), begins('mdat', 4), begins('wide', 4)),
    'video/mov',
  ),
  shown(
    'video/mp4',
    'mp4 m4v',
    playedBrand,
    'video/x-m4v video/m4v video/h264 video/x-mp4 video/mp4v-es application/mp4',
  ),
  stated('video/3gpp', '', playedBrand, ''),
  stated('video/quicktime', '', playedBrand, ''),
  shown('video/webm', 'webm', matroska),
  stated('video/x-matroska', 'mkv', matroska, 'video/mkv video/matroska'),
  stated('audio/x-ms-wma', 'wma', advancedSystems, 'audio/wma'),
  shown('video/x-ms-wmv', 'wmv asf', advancedSystems, 'video/x-ms-asf video/wmv video/asf'),
  shown('video/x-flv', 'flv', begins('FLV\x01'), 'video/flv'),
  shown(
    'video/mpeg',
    'mpg mpeg',
    any(begins('\0\0\x01\xba'), begins('\0\0\x01\xb3')),
    'video/mpg video/x-mpeg',
  ),
  shown('video/x-msvideo', 'avi', riff('AVI '), 'video/avi video/msvideo'),
  shown(
    'application/pdf',
    'pdf',
    begins('%PDF-'),
    'application/x-pdf application/acrobat application/vnd.pdf applications/vnd.pdf application/x-bzpdf text/pdf text/x-pdf image/pdf',
  ),
  shown('text/vcard', 'vcf', says('BEGIN:VCARD'), ''),
  stated(
    'text/vcard',
    'vcard',
    text,
    'text/x-vcard text/directory application/vcard application/x-vcard text/anytext',
  ),
  shown('text/calendar', 'ics', says('BEGIN:VCALENDAR'), ''),
  stated('text/calendar', 'vcs', text, 'text/x-vcalendar application/ics application/calendar'),
  shown('application/rtf', 'rtf', begins('{\\rtf'), 'text/rtf text/richtext application/x-rtf'),
  stated(
    'text/csv',
    'csv',
    text,
    'application/csv text/x-csv text/comma-separated-values text/tab-separated-values',
  ),
  stated('text/plain', 'txt', text, 'text/markdown text/x-markdown'),
  stated(
    'application/msword',
    'doc',
    oldOffice,
    'application/vnd.ms-word application/doc application/x-msword',
  ),
  stated(
    'application/vnd.ms-excel',
    'xls',
    oldOffice,
    'application/msexcel application/excel application/x-excel application/x-msexcel',
  ),
  stated(
    'application/vnd.ms-powerpoint',
    'ppt',
    oldOffice,
    'application/mspowerpoint application/powerpoint',
  ),
  ...[
    ['docx', 'openxmlformats-officedocument.wordprocessingml.document'],
    ['xlsx', 'openxmlformats-officedocument.spreadsheetml.sheet'],
    ['pptx', 'openxmlformats-officedocument.presentationml.presentation'],
    ['odt', 'oasis.opendocument.text'],
    ['ods', 'oasis.opendocument.spreadsheet'],
    ['odp', 'oasis.opendocument.presentation'],
    ['pages', 'apple.pages', 'x-iwork-pages-sffpages'],
    ['numbers', 'apple.numbers', 'x-iwork-numbers-sffnumbers'],
    ['key', 'apple.keynote', 'x-iwork-keynote-sffkey'],
    ['pkpass', 'apple.pkpass', 'pkpass'],
  ].map(([extension = '', name = '', alias]) =>
    stated(`application/vnd.${name}`, extension, archive, alias && `application/${alias}`),
  ),
]

const named = new Map<string, MediaType[]>()
const byExtension = new Map<string, string>()
for (const one of types) {
  for (const name of [one.type, ...one.aliases]) named.set(name, [...(named.get(name) ?? []), one])
  for (const extension of one.extensions) byExtension.set(extension, one.type)
}
// An alias may stand for a type that several tests show.
const testsOf = (name: string) => named.get(named.get(name)?.[0]?.type ?? name) ?? []
const testsNamed = (name: string) => [...new Set([...(named.get(name) ?? []), ...testsOf(name)])]

/** A media type without parameters, in lower case: `audio/ogg; codecs=opus` is `audio/ogg`. */
export function bareType(contentType: string): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[a-z0-9.+-]{1,80}\/[a-z0-9.+*-]{1,80}$/.test(type) ? type : 'application/octet-stream'
}

/** Types that say nothing of the content. */
const saysNothing =
  /^(?:application\/(?:octet-stream|binary|x-binary|x-download|download|force-download|unknown|x-unknown|x-unknown-content-type)|binary\/octet-stream|unknown\/unknown|(?:image|audio|video)\/(?!svg).*)$/

/**
 * The type by which a file is known until its content is read: the one that the provider states, by its usual name; if that
 * says nothing, the one of the extension of its name.
 */
export function statedType(contentType: string, name: string | null): string {
  const type = bareType(contentType)
  const known = named.get(type)?.[0]?.type
  if (known !== undefined) return known
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? ''
  return (saysNothing.test(type) ? byExtension.get(extension) : undefined) ?? type
}

/** Whether a file of this type is stored if its content is of a type that Gable stores. */
export const mayBeStored = (type: string): boolean => named.has(type) || saysNothing.test(type)

/** The extension of a type that Gable stores; undefined for any other type. */
export const extensionOf = (contentType: string): string | undefined =>
  testsNamed(bareType(contentType)).find(({ extensions }) => extensions.length > 0)?.extensions[0]

/** Whether the content begins as its type says. `start`: its first bytes, at least `shownBy` unless it is shorter. */
export const isOfType = (contentType: string, start: Buffer): boolean =>
  testsNamed(bareType(contentType)).some(({ is }) => is(start))

/**
 * What a file is by its content, whatever the provider states; the stated type if the content is of it, too. Undefined for
 * what Gable does not store.
 */
export function typeOf(contentType: string, start: Buffer): string | undefined {
  const type = bareType(contentType)
  // Almost any content could be text.
  if (!type.startsWith('text/') && isOfType(type, start)) return type
  return (
    types.find(({ isShown, is }) => isShown && is(start))?.type ?? (isOfType(type, start) ? type : undefined)
  )
}

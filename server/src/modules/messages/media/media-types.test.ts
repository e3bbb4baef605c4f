import { expect, test } from 'vitest'
import { extensionOf, mayBeStored, statedType, typeOf } from './media-types.ts'

const bytes = (text: string) => Buffer.from(text.padEnd(40, '.'), 'latin1')
const iso = (brand: string) => bytes(`\0\0\0\x18ftyp${brand}\0\0\0\0`)
const riff = (kind: string) => bytes(`RIFF\0\0\0\0${kind}`)
const [jpeg, png, pdf] = [bytes('\xff\xd8\xff\xe1Exif'), bytes('\x89PNG\r\n\x1a\n'), bytes('%PDF-1.7')]
const card = bytes('BEGIN:VCARD\r\nVERSION:3.0')

test.for<[stated: string, content: Buffer, type: string, extension: string]>([
  ['image/jpeg', jpeg, 'image/jpeg', 'jpg'],
  ['image/jpg', jpeg, 'image/jpeg', 'jpg'],
  ['image/pjpeg', jpeg, 'image/jpeg', 'jpg'],
  ['image/x-png', png, 'image/png', 'png'],
  ['IMAGE/PNG; name="a.png"', png, 'image/png', 'png'],
  ['image/heic', iso('heic'), 'image/heic', 'heic'],
  ['image/heic', iso('mif1'), 'image/heic', 'heic'],
  ['image/heic-sequence', iso('hevc'), 'image/heic', 'heic'],
  ['image/heif', iso('mif1'), 'image/heif', 'heif'],
  ['image/avif', iso('avif'), 'image/avif', 'avif'],
  ['image/webp', riff('WEBP'), 'image/webp', 'webp'],
  ['image/x-ms-bmp', bytes('BM'), 'image/bmp', 'bmp'],
  ['audio/amr', bytes('#!AMR\n'), 'audio/amr', 'amr'],
  ['audio/amr-wb', bytes('#!AMR-WB\n'), 'audio/amr', 'amr'],
  ['audio/x-caf', bytes('caff\0\x01'), 'audio/x-caf', 'caf'],
  ['audio/caf', bytes('caff\0\x01'), 'audio/x-caf', 'caf'],
  ['audio/mp4', iso('M4A '), 'audio/mp4', 'm4a'],
  ['audio/x-m4a', iso('mp42'), 'audio/mp4', 'm4a'],
  ['audio/mp4', iso('3gp4'), 'audio/mp4', 'm4a'],
  ['audio/3gpp', iso('3gp5'), 'audio/3gpp', '3gp'],
  ['audio/ogg; codecs=opus', bytes('OggS'), 'audio/ogg', 'ogg'],
  ['audio/opus', bytes('OggS'), 'audio/ogg', 'ogg'],
  ['audio/vnd.wave', riff('WAVE'), 'audio/wav', 'wav'],
  ['audio/aac', bytes('\xff\xf1P'), 'audio/aac', 'aac'],
  ['audio/mp3', bytes('ID3\x04'), 'audio/mpeg', 'mp3'],
  ['audio/webm', bytes('\x1aE\xdf\xa3'), 'audio/webm', 'weba'],
  ['video/3gpp', iso('3gp4'), 'video/3gpp', '3gp'],
  ['video/3gpp', iso('isom'), 'video/3gpp', '3gp'],
  ['video/3gpp2', iso('3g2a'), 'video/3gpp2', '3g2'],
  ['video/mp4', iso('isom'), 'video/mp4', 'mp4'],
  ['video/x-m4v', iso('M4V '), 'video/mp4', 'mp4'],
  ['video/quicktime', iso('qt  '), 'video/quicktime', 'mov'],
  ['video/quicktime', bytes('\0\0\0\x08wide'), 'video/quicktime', 'mov'],
  ['video/webm', bytes('\x1aE\xdf\xa3'), 'video/webm', 'webm'],
  ['text/vcard', card, 'text/vcard', 'vcf'],
  ['text/x-vcard; charset=utf-8', card, 'text/vcard', 'vcf'],
  ['text/directory; profile=vCard', card, 'text/vcard', 'vcf'],
  ['application/vcard', card, 'text/vcard', 'vcf'],
  ['text/x-vcard', Buffer.from('\uFEFFBEGIN:VCARD', 'utf16le'), 'text/vcard', 'vcf'],
  ['text/plain', bytes('Hello'), 'text/plain', 'txt'],
  ['text/x-vcalendar', bytes('BEGIN:VCALENDAR'), 'text/calendar', 'ics'],
  ['application/x-pdf', pdf, 'application/pdf', 'pdf'],
  ['application/vnd.apple.pkpass', bytes('PK\x03\x04'), 'application/vnd.apple.pkpass', 'pkpass'],
  ['image/jp2', bytes('\0\0\0\x0cjP  \r\n\x87\n'), 'image/jp2', 'jp2'],
  ['image/vnd.microsoft.icon', bytes('\0\0\x01\0\x01'), 'image/x-icon', 'ico'],
  ['audio/sp-midi', bytes('MThd'), 'audio/midi', 'mid'],
  ['audio/x-aiff', bytes('FORM\0\0\0\0AIFF'), 'audio/aiff', 'aif'],
  ['audio/vnd.qcelp', riff('QLCM'), 'audio/qcelp', 'qcp'],
  ['audio/x-ms-wma', bytes('\x30\x26\xb2\x75\x8e\x66\xcf\x11'), 'audio/x-ms-wma', 'wma'],
  ['video/x-ms-wmv', bytes('\x30\x26\xb2\x75\x8e\x66\xcf\x11'), 'video/x-ms-wmv', 'wmv'],
  ['video/mkv', bytes('\x1aE\xdf\xa3'), 'video/x-matroska', 'mkv'],
  ['video/x-flv', bytes('FLV\x01'), 'video/x-flv', 'flv'],
  ['audio/x-m4p', iso('M4P '), 'audio/mp4', 'm4a'],
  ['application/mp3', bytes('ID3\x04'), 'audio/mpeg', 'mp3'],
  ['application/mp4', iso('mp42'), 'video/mp4', 'mp4'],
  ['applications/vnd.pdf', pdf, 'application/pdf', 'pdf'],
  ['text/x-pdf', pdf, 'application/pdf', 'pdf'],
  ['application/download', pdf, 'application/pdf', 'pdf'],
  ['application/x-msexcel', bytes('\xd0\xcf\x11\xe0'), 'application/vnd.ms-excel', 'xls'],
  ['application/x-iwork-pages-sffpages', bytes('PK\x03\x04'), 'application/vnd.apple.pages', 'pages'],
  ['application/pkpass', bytes('PK\x03\x04'), 'application/vnd.apple.pkpass', 'pkpass'],
  ['application/calendar', bytes('BEGIN:VCALENDAR'), 'text/calendar', 'ics'],
  ['text/markdown', bytes('# Notes'), 'text/plain', 'txt'],
  // The content counts, not what the provider states.
  ['application/octet-stream', jpeg, 'image/jpeg', 'jpg'],
  ['application/octet-stream', pdf, 'application/pdf', 'pdf'],
  ['binary/octet-stream', iso('heic'), 'image/heic', 'heic'],
  ['', iso('M4A '), 'audio/mp4', 'm4a'],
  ['image/*', png, 'image/png', 'png'],
  ['image/png', jpeg, 'image/jpeg', 'jpg'],
  ['image/jpeg', iso('heic'), 'image/heic', 'heic'],
  ['image/heic', iso('avif'), 'image/avif', 'avif'],
  ['image/heic', iso('qt  '), 'video/quicktime', 'mov'],
  ['video/mp4', iso('qt  '), 'video/mp4', 'mp4'],
  ['image/x-new', riff('WEBP'), 'image/webp', 'webp'],
  ['text/plain', card, 'text/vcard', 'vcf'],
  ['text/vcard', png, 'image/png', 'png'],
  ['application/pdf', png, 'image/png', 'png'],
])('what is stated as %j is stored by its content', ([given, content, type, extension]) => {
  const stated = statedType(given, null)
  expect([mayBeStored(stated), typeOf(stated, content), extensionOf(type)]).toEqual([true, type, extension])
})

test.for<[stated: string, content: Buffer]>([
  ['image/jpeg', bytes('<html>')],
  ['image/jpeg', bytes('MZ\x90')],
  ['application/octet-stream', bytes('<svg>')],
  ['application/octet-stream', bytes('Hello')],
  ['application/octet-stream', bytes('PK\x03\x04')],
  ['application/octet-stream', bytes('\x7fELF')],
  ['text/vcard', bytes(' \r\n<script>')],
  ['text/plain', bytes('\xef\xbb\xbf<!doctype html>')],
  ['image/heic', iso('crx ')],
  ['image/png', Buffer.alloc(0)],
])('what is stated as %j is stored neither as that nor as anything else', ([given, content]) => {
  expect(typeOf(statedType(given, null), content)).toBeUndefined()
})

test.for([
  'text/html',
  'image/svg+xml',
  'application/x-msdownload',
  'application/zip',
  'application/javascript',
  'message/rfc822',
])('what is stated as %s is never fetched', (type) =>
  expect(mayBeStored(statedType(type, 'a.png'))).toBe(false),
)

test.for<[stated: string, name: string, type: string]>([
  ['application/octet-stream', 'Offer.PDF', 'application/pdf'],
  [
    'application/octet-stream',
    'Offer.docx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['', 'IMG_0012.HEIC', 'image/heic'],
  ['binary/octet-stream', 'Voice 001.m4a', 'audio/mp4'],
  ['application/octet-stream', 'Jane.vcf', 'text/vcard'],
  ['application/octet-stream', 'page.html', 'application/octet-stream'],
  ['image/png', 'a.pdf', 'image/png'],
])('a type that says nothing, %j, is that of the name %j', ([stated, name, type]) => {
  expect(statedType(stated, name)).toBe(type)
})

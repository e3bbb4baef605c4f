/** Samples per second, one byte each. */
const rate = 8_000

const maxSeconds = 20

/** A WAV recording of at most 160 kB, with a tone for each line, higher where the person speaks. */
export function tonesOf(lines: readonly { speaker: 'agent' | 'user' }[], seconds: number): Buffer {
  const samples = Math.round(rate * Math.min(Math.max(seconds, 1), maxSeconds))
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  // PCM, one channel.
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples, 40)
  const each = samples / Math.max(lines.length, 1)
  const sound = Buffer.from(
    Array.from({ length: samples }, (_, n) => {
      const pitch = lines[Math.floor(n / each)]?.speaker === 'user' ? 440 : 294
      return 128 + Math.round(40 * Math.sin((2 * Math.PI * pitch * n) / rate))
    }),
  )
  return Buffer.concat([header, sound])
}

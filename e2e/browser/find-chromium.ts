import { existsSync } from 'node:fs'

/** Where systems put it. */
const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The program named by CHROMIUM, or else the first there is at a usual place. */
export const findChromium = (): string | undefined =>
  process.env['CHROMIUM'] ?? usual.find((path) => existsSync(path))

export const howToGetChromium =
  'there is no Chromium on this machine. Install it (apt-get install chromium, brew install --cask chromium), or name its program in CHROMIUM.'

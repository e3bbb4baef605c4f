/** Browsers by User-Agent. A browser whose User-Agent also names another browser comes first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/Chrome\/|Chromium\/|\bCriOS\//, 'Chrome'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Other browsers, too, name Safari, but not a version of their own before it. */
function isSafari(userAgent: string): boolean {
  const version = userAgent.search(/\bVersion\/[\d.]+ /)
  return version !== -1 && userAgent.includes('Safari/', version)
}

/** Returns a readable name for a User-Agent, such as `Firefox on Windows`; returns an unknown one unchanged. */
export function browserName(userAgent: string): string {
  const nameIn = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(browsers) ?? (isSafari(userAgent) ? 'Safari' : undefined)
  const system = nameIn(systems)
  if (browser === undefined) return userAgent
  return system === undefined ? browser : `${browser} on ${system}`
}

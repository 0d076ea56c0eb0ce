/** Display names of browsers. */
import { t } from '../language.js'

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgi?A?\//, 'Edge'],
  [/\bOPR\/|\bOpera/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const found = (table: readonly [RegExp, string][], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

/** Display name of a browser, such as `Firefox on Linux`; for an unknown browser, the first 60 characters of its User-Agent header. */
export const browserName = (userAgent: string): string => {
  const [browser, system] = [found(BROWSERS, userAgent), found(SYSTEMS, userAgent)]
  if (browser && system) return `${browser} ${t('on {system}', { system })}`
  return browser ?? system ?? (userAgent.slice(0, 60) || t('Unknown browser'))
}

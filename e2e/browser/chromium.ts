/** Headless Chromium for tests. Every console error and failed request is a problem, except those that a test expects. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const root = new URL('../../', import.meta.url)
const { findTool } = await import(new URL('bin/lib/tools.mjs', root).href)

/** Path of the program, or null when Chromium is missing. */
export const executable: string | null = (await findTool('chromium')).argv?.[0] ?? null

const folder = fileURLToPath(new URL('.data/test-browser', root))

/** A failed response that a test expects: its status and a part of its address. */
interface Expected {
  readonly status: number
  readonly path: string
}

export interface TestBrowser {
  /** A context without cookies. Its pages are watched for problems. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Later responses with this status at addresses that contain `path` are no problem. */
  expectStatus(status: number, path: string): void
  /** Returns the problems since the last call, one sentence each. */
  problems(): string[]
  close(): Promise<void>
}

export const openChromium = async (): Promise<TestBrowser> => {
  const browser: Browser = await chromium.launch({ executablePath: executable ?? '', timeout: 120_000 })
  let problems: string[] = []
  const expected: Expected[] = []
  const isExpected = (status: number, url: string): boolean =>
    expected.some((one) => one.status === status && url.includes(one.path))
  const watch = (context: BrowserContext): void => {
    context.on('console', (message) => {
      const { url } = message.location()
      // Chromium also reports a failed request on the console. The status decides, see below.
      const status = Number(/status of (\d+)/.exec(message.text())?.[1] ?? 0)
      if (!['error', 'warning'].includes(message.type()) || isExpected(status, url)) return
      problems.push(`console ${message.type()} at ${url}: ${message.text()}`)
    })
    context.on('weberror', (error) => problems.push(`uncaught: ${error.error().stack ?? error.error().message}`))
    context.on('response', (response) => {
      const status = response.status()
      if (status >= 400 && !isExpected(status, response.url())) problems.push(`${status} at ${response.url()}`)
    })
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      // A navigation cancels what the page before it was still loading.
      if (reason !== 'net::ERR_ABORTED') problems.push(`${reason} at ${request.url()}`)
    })
  }
  return {
    async context(options = {}) {
      const context = await browser.newContext({ locale: 'en-GB', ...options })
      context.setDefaultTimeout(120_000)
      watch(context)
      return context
    },
    expectStatus: (status, path) => void expected.push({ status, path }),
    problems() {
      const found = problems
      problems = []
      return found
    },
    close: () => browser.close(),
  }
}

export const WIDTHS = [390, 1280] as const
export const SCHEMES = ['light', 'dark'] as const

interface Overflow {
  readonly page: number
  readonly window: number
  readonly elements: readonly string[]
  readonly outside: readonly string[]
  readonly selects: readonly string[]
}

/**
 * Runs in the page. Returns its width, elements that reach beyond the window or cut off their own text, and controls outside of
 * their card. `selects` are selects that cut off an option.
 */
const MEASURE = `(() => {
  const window = document.documentElement.clientWidth
  const isCut = (one) => getComputedStyle(one).overflowX === 'hidden' && one.scrollWidth > one.clientWidth + 1
  const hidden = '.visually-hidden, .invisible'
  const wide = [...document.body.querySelectorAll('*')].filter(
    (one) => !one.closest(hidden) && (one.getBoundingClientRect().right > window + 0.5 || isCut(one)),
  )
  const elements = wide.slice(0, 5).map((one) => (one.tagName + ' ' + one.className).trim())
  const isOutside = (one) => {
    const card = one.closest('.card').getBoundingClientRect()
    const { left, right, width } = one.getBoundingClientRect()
    return width > 0 && (right > card.right || left < card.left)
  }
  const controls = document.querySelectorAll('.card input, .card select, .card textarea, .card button, .card .button')
  // Closed menus have a layout too.
  const outside = [...controls].filter((one) => one.checkVisibility() && !one.closest(hidden) && isOutside(one)).map((one) => one.name || one.textContent)
  // A select has no overflow, so a copy shows the needed width: of the chosen option, and in filters of the longest option.
  const isCutOff = (one) => {
    const copy = one.cloneNode(true)
    copy.removeAttribute('id')
    if (!one.closest('.filters')) copy.replaceChildren(...[...one.selectedOptions].map((option) => option.cloneNode(true)))
    copy.style.cssText = 'position: absolute; width: max-content; min-width: 0; max-width: none'
    one.after(copy)
    const needed = copy.getBoundingClientRect().width
    copy.remove()
    const { width } = one.getBoundingClientRect()
    // No option may need more than its card has.
    const most = (one.closest('.card') ?? document.body).clientWidth * 0.85
    return width + 0.5 < Math.min(needed, most)
  }
  const longest = (one) => [...one.options].map((option) => option.text).reduce((a, b) => (b.length > a.length ? b : a), '')
  const selects = [...document.querySelectorAll('select:not([multiple])')]
    .filter((one) => one.checkVisibility() && !one.closest(hidden) && isCutOff(one))
    .map((one) => one.name + ' (' + longest(one) + ')')
  return { page: document.documentElement.scrollWidth, window, elements, outside, selects }
})()`

/**
 * Shows the page in both widths and both colour schemes. Writes a screenshot into `.data/test-browser` when something is cut
 * off, and of every page when the environment variable `TEST_SCREENSHOTS` is set: a screenshot costs more CPU than the check.
 * @returns one sentence for each fault: the page can be scrolled sideways, cuts off text, has controls outside of their card,
 * or a select cuts off an option
 */
export const overflowsOf = async (page: Page, name: string): Promise<string[]> => {
  const overflows: string[] = []
  mkdirSync(folder, { recursive: true })
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme })
      const { page: has, window, elements, outside, selects } = await page.evaluate<Overflow>(MEASURE)
      if (has > window)
        overflows.push(`${name} at ${width} px, ${colorScheme}: ${has} px wide (${elements.join(', ')})`)
      if (outside.length > 0) overflows.push(`${name} at ${width} px: outside of their card: ${outside.join(', ')}`)
      if (selects.length > 0) overflows.push(`${name} at ${width} px: an option is cut off: ${selects.join(', ')}`)
      if (has > window || selects.length > 0 || process.env.TEST_SCREENSHOTS)
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    }
  }
  return overflows
}

/** A browser without JavaScript: follows redirects, keeps cookies, fills in and sends forms. */
import { type Reply, request } from '../outside/http-client.js'
import type { Reach } from '../outside/reach.js'
import { type CookieJar, cookieJar } from './cookies.js'
import { type Button, type Form, type Page, readPage } from './page.js'

export interface Visit extends Page {
  status: number
  headers: Reply['headers']
  /** Body of the response. */
  html: string
  /** URLs that responded with a redirect, in order. */
  redirects: string[]
}

export interface Submission {
  /**
   * Values by field name. For a checkbox or radio button, true checks it, false unchecks it, and a list checks the
   * buttons with these values.
   */
  fields?: Record<string, string | boolean | readonly string[]>
  /** Files to send, by field name. Only text files are supported. */
  files?: Record<string, { name: string; text: string; type?: string }>
  /** Text, or part of the text, of the button to press. The default is the first button of the form. */
  button?: string
}

export interface Browser {
  cookies: CookieJar
  /** The current page. */
  page(): Visit
  get(address: string): Promise<Visit>
  /** Submits a form of the current page, given by its index, its id, or as an object of the page. */
  submit(form: Form | number | string, submission?: Submission): Promise<Visit>
  /** Follows the link of the current page whose text contains `text`. */
  follow(text: string): Promise<Visit>
}

export interface BrowserOptions extends Reach {
  headers?: Record<string, string>
  /**
   * Returns false for a redirect that must not be followed. The visit then ends with the target as `url` and the status
   * of the redirect. By default, only http and https are followed.
   */
  follows?: (url: URL) => boolean
}

const MAX_REDIRECTS = 10
const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const BOUNDARY = '----a-browser-without-javascript'

/**
 * Opens a browser with an empty cookie jar.
 * @example
 * const browser = openBrowser({ follows: (url) => url.origin === origin })
 * await browser.get(authorizeUrl)
 * await browser.submit(0, { fields: { email: 'alice@local.example', password } })
 * const { url } = await browser.submit(0, { button: 'Authorize' })
 * const code = new URL(url).searchParams.get('code')
 */
export const openBrowser = (options: BrowserOptions = {}): Browser => {
  const cookies = cookieJar()
  const { headers, follows = (url) => /^https?:$/.test(url.protocol), ...reach } = options
  let shown: Visit | undefined

  const visit = async (
    address: string,
    how: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) => {
    const redirects: string[] = []
    let url = new URL(address)
    let { method = 'GET', body, headers: own } = how
    for (;;) {
      const cookie = cookies.header(url)
      const all = { accept: 'text/html,*/*;q=0.8', ...headers, ...(cookie && { cookie }), ...own }
      const reply = await request(url, { ...reach, method, headers: all, ...(body !== undefined && { body }) })
      cookies.take(url, [reply.headers['set-cookie'] ?? []].flat())
      const target = redirectOf(reply, url)
      if (!target || !follows(target)) {
        shown = show(reply, target ?? url, redirects)
        return shown
      }
      redirects.push(url.href)
      if (redirects.length > MAX_REDIRECTS)
        throw new Error(`more than ${MAX_REDIRECTS} redirects: ${redirects.join(' → ')}`)
      url = target
      // Only 307 and 308 repeat the method and body of the request, as in browsers.
      if (reply.status !== 307 && reply.status !== 308) {
        method = 'GET'
        body = undefined
        own = undefined
      }
    }
  }
  const page = (): Visit => {
    if (!shown) throw new Error('no page was visited yet')
    return shown
  }

  return {
    cookies,
    page,
    get: (address) => visit(address),
    submit: (which, submission = {}) => {
      const form = typeof which === 'object' ? which : findForm(page(), which)
      if (form.encoding !== URLENCODED && form.encoding !== MULTIPART)
        throw new Error(`the form is sent as ${form.encoding}, which this browser cannot`)
      const button = findButton(form, submission.button)
      const entries = entriesOf(form, button, submission.fields ?? {})
      const pairs = new URLSearchParams(entries)
      const action = new URL(button?.action ?? form.action)
      if (form.method === 'GET') {
        action.search = pairs.toString()
        return visit(action.href)
      }
      const { origin } = new URL(page().url)
      return visit(action.href, {
        method: 'POST',
        body: form.encoding === MULTIPART ? partsOf(entries, submission.files ?? {}) : pairs.toString(),
        headers: {
          'content-type': form.encoding === MULTIPART ? `${MULTIPART}; boundary=${BOUNDARY}` : URLENCODED,
          origin,
          referer: page().url,
        },
      })
    },
    follow: (text) => {
      const link = page().links.find((one) => one.text.includes(text))
      if (!link) throw new Error(`no link "${text}" on ${page().url}`)
      return visit(link.href)
    },
  }
}

/** The multipart body of a form. A file field without a chosen file is sent empty, as in browsers. */
const partsOf = (entries: readonly [string, string][], files: NonNullable<Submission['files']>): string => {
  const parts = entries.map(([name, value]) => {
    const file = files[name]
    const about = file ? `; filename="${file.name}"\r\nContent-Type: ${file.type ?? 'application/octet-stream'}` : ''
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${about}\r\n\r\n${file?.text ?? value}\r\n`
  })
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}

const show = (reply: Reply, url: URL, redirects: string[]): Visit => {
  const isPage = String(reply.headers['content-type'] ?? '').startsWith('text/html')
  return {
    ...readPage(isPage ? reply.text : '', url.href),
    status: reply.status,
    headers: reply.headers,
    html: reply.text,
    redirects,
  }
}

const redirectOf = ({ status, headers }: Reply, from: URL): URL | undefined => {
  const location = headers.location
  return status >= 300 && status < 400 && typeof location === 'string' ? new URL(location, from) : undefined
}

const findForm = (page: Visit, which: number | string): Form => {
  const form = typeof which === 'number' ? page.forms[which] : page.forms.find((one) => one.id === which)
  if (!form) throw new Error(`no form ${which} on ${page.url} (${page.status}): ${page.text.slice(0, 300)}`)
  return form
}

const findButton = (form: Form, text: string | undefined): Button | undefined => {
  const button = form.buttons.find((one) => text === undefined || one.text.toLowerCase().includes(text.toLowerCase()))
  if (text !== undefined && !button)
    throw new Error(`no button "${text}" in the form; there are: ${form.buttons.map((one) => one.text).join(', ')}`)
  return button
}

/**
 * Entries that a form submits: the given values, else the values of the form. Throws for a given field that the form
 * does not have.
 */
const entriesOf = (
  form: Form,
  button: Button | undefined,
  given: NonNullable<Submission['fields']>,
): [string, string][] => {
  const unknown = Object.keys(given).find((name) => !form.fields.some((field) => field.name === name))
  if (unknown)
    throw new Error(`no field "${unknown}" in the form; there are: ${form.fields.map((one) => one.name).join(', ')}`)
  const entries = form.fields.flatMap((field): [string, string][] => {
    const value = given[field.name]
    const isTick = field.type === 'checkbox' || field.type === 'radio'
    if (!isTick) return [[field.name, typeof value === 'string' ? value : field.value]]
    const isTicked =
      value === undefined ? field.checked : typeof value === 'boolean' ? value : [value].flat().includes(field.value)
    return isTicked ? [[field.name, field.value]] : []
  })
  return button?.name ? [...entries, [button.name, button.value]] : entries
}

/** Pages of the gateway at paths of the API: responses are HTML or redirects, and no operation is called. */
import type { z } from 'zod'
import type { Route } from './http.js'

export interface BrowserPage {
  readonly kind: 'browser-page'
  /** Name of the page: `gateway.<noun>.<verb>`. */
  readonly name: string
  readonly http: readonly Route[]
  /** Schema of the input: query parameters of GET and DELETE, form fields of POST. */
  readonly input: z.ZodType
  /** True when the page requires a browser session. Bearer tokens are not accepted. */
  readonly session: boolean
  /** Responses of the page by HTTP status. */
  readonly responses: Readonly<Record<number, string>>
  /** Schema of the JSON response for clients that request JSON with `Accept`; null without one. */
  readonly json: z.ZodType | null
  readonly about: string
}

/** Declares a page, which the gateway serves. */
export const browserPage = (
  name: string,
  spec: Omit<BrowserPage, 'kind' | 'name' | 'http' | 'json'> & { http: Route | readonly Route[]; json?: z.ZodType },
): BrowserPage => ({
  kind: 'browser-page',
  name,
  ...spec,
  http: 'path' in spec.http ? [spec.http] : spec.http,
  json: spec.json ?? null,
})

/** Pages of the edge that have their place among the addresses of the API: answered with HTML or a redirect, not by an operation. */
import type { z } from 'zod'
import type { Route } from './http.js'

export interface BrowserPage {
  readonly kind: 'browser-page'
  /** `gateway.<noun>.<verb>`. */
  readonly name: string
  readonly http: readonly Route[]
  /** Query of GET and DELETE, form of POST. */
  readonly input: z.ZodType
  /** Needs a browser that is signed in; bearer tokens open no page. */
  readonly session: boolean
  /** Responses by status. */
  readonly answers: Readonly<Record<number, string>>
  /** The JSON that programs get who ask for it by `Accept`. */
  readonly json: z.ZodType | null
  readonly about: string
}

/** Declares a page; the gateway serves it. */
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

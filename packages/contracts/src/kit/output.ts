/** Outputs of operations, and the functions with which handlers build them. */
import type { z } from 'zod'
import { type Json, jsonArray } from './json.js'

/**
 * Links to the next and previous page in the Link header, as clients of each kind of list expect them:
 *
 * | Kind       | Lists                                                   | Next page (`max_id`)     | Previous page |
 * |------------|---------------------------------------------------------|--------------------------|---------------|
 * | `timeline` | timelines and notifications                             | unless the page is empty | `min_id`      |
 * | `list`     | statuses of an account, favourites, conversations, …    | if the page is full      | `min_id`      |
 * | `accounts` | accounts that follow, favourite or are blocked, …       | if the page is full      | `since_id`    |
 * | `offset`   | trends; the handler writes the links with `offset`      | `offset`                 | `offset`      |
 */
export type PageKind = 'timeline' | 'list' | 'accounts' | 'offset'

export interface PageOutput<S extends z.ZodType = z.ZodType> {
  readonly kind: 'page'
  readonly item: S
  readonly links: PageKind
  /** Parameters of the request that the links to the next and previous page repeat. */
  readonly keeps: readonly string[]
}
export interface JsonOutput<S extends z.ZodType = z.ZodType> {
  readonly kind: 'json'
  readonly schema: S
  /** Parameters of the request that the links to the next and previous page repeat. Only for a document that is a page of a list. */
  readonly keeps?: readonly string[]
}
/** Output with one JSON text per id, as lines `id TAB text`. Services exchange cards in this form. */
export interface LinesOutput<S extends z.ZodType = z.ZodType> {
  readonly kind: 'lines'
  readonly item: S
}
/** Output that is not API JSON: pages, documents and media. */
export interface RawOutput {
  readonly kind: 'raw'
  readonly contentType: string
}
export type Output = PageOutput | JsonOutput | LinesOutput | RawOutput

/** Output that is a page of a list of items. `keeps`: query parameters that the links to other pages repeat. */
export const pageOf = <S extends z.ZodType>(item: S, links: PageKind, keeps: string[] = ['limit']): PageOutput<S> => ({
  kind: 'page',
  item,
  links,
  keeps,
})
/**
 * Output that is one JSON document. `keeps`: query parameters that links to other pages repeat, if the document is a page of a
 * list.
 */
export const json = <S extends z.ZodType>(schema: S, keeps?: readonly string[]): JsonOutput<S> => ({
  kind: 'json',
  schema,
  ...(keeps ? { keeps } : {}),
})
/** Output with one JSON text per id. The caller gets a map. */
export const linesOf = <S extends z.ZodType>(item: S): LinesOutput<S> => ({ kind: 'lines', item })
/** Output that is no API JSON, such as a page or file, with its media type. */
export const raw = (contentType: string): RawOutput => ({ kind: 'raw', contentType })

const replyBrand = Symbol('reply')

/** A response with more than a body: a status, headers, or cursors for the Link header. */
export interface Reply<T> {
  readonly [replyBrand]: true
  readonly body: T | Json<T> | Uint8Array
  readonly status?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Query parameters that request the next page; the next member requests the previous one. */
  readonly next?: Readonly<Record<string, string>> | undefined
  readonly prev?: Readonly<Record<string, string>> | undefined
}

/** Whether the result of a handler is a response with more than a body. */
export const isReply = (value: unknown): value is Reply<unknown> =>
  typeof value === 'object' && value !== null && replyBrand in value

/** Combines a body with a status or headers to a response: `reply(body, { status: 202 })`. */
export const reply = <T>(
  body: T | Json<T> | Uint8Array,
  more: Omit<Reply<T>, typeof replyBrand | 'body'> = {},
): Reply<T> => ({
  [replyBrand]: true,
  body,
  ...more,
})

/**
 * One page of a list. `first` and `last` are the cursors of its first and last row; null for an empty page. `full`: the
 * page has as many rows as requested. The kind of the page determines the links.
 */
export const pageReply = <T>(
  output: PageOutput,
  items: readonly Json<T>[],
  ends: { first: string | null; last: string | null; full: boolean },
): Reply<T[]> => {
  const always = output.links === 'timeline'
  const back = output.links === 'accounts' ? 'since_id' : 'min_id'
  return reply(jsonArray(items), {
    next: ends.last !== null && (always || ends.full) ? { max_id: ends.last } : undefined,
    prev: ends.first !== null ? { [back]: ends.first } : undefined,
  })
}

/** Type of the values that a handler may return for an output. */
export type HandlerResult<O extends Output> =
  O extends PageOutput<infer S>
    ? Reply<z.infer<S>[]> | Json<z.infer<S>[]>
    : O extends JsonOutput<infer S>
      ? z.infer<S> | Json<z.infer<S>> | Reply<z.infer<S>>
      : O extends LinesOutput<infer S>
        ? ReadonlyMap<string, Json<z.infer<S>>>
        : Reply<string> | Reply<Uint8Array>

/** Type of the value that a calling service gets for an output. */
export type ResultOf<O extends Output> =
  O extends PageOutput<infer S>
    ? z.infer<S>[]
    : O extends JsonOutput<infer S>
      ? z.infer<S>
      : O extends LinesOutput<infer S>
        ? Map<string, Json<z.infer<S>>>
        : Uint8Array

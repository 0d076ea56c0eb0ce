/**
 * Sends single HTTP requests. Redirects are not followed and bodies are not decoded. A request may be sent to another
 * address than that of its URL.
 */
import { beginRequest, type Reach } from './reach.js'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  text: string
  /** Returns the body as parsed JSON. Throws if the body is no JSON. */
  json<T = unknown>(): T
}

export interface RequestOptions extends Reach {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** Milliseconds until the request fails, 30,000 by default. */
  withinMs?: number
}

/** Sends one request on a new connection. */
export const request = (target: string | URL, options: RequestOptions = {}): Promise<Reply> => {
  const url = new URL(target)
  const { method = 'GET', headers, body, withinMs = 30_000, ...how } = options
  return new Promise((resolve, reject) => {
    const outgoing = beginRequest(url, how, { method, headers })
    const tooLate = () => outgoing.destroy(new Error(`no response from ${url.host} within ${withinMs} ms`))
    const timer = setTimeout(tooLate, withinMs)
    outgoing.on('close', () => clearTimeout(timer))
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const whole = Buffer.concat(chunks)
        const text = whole.toString('utf8')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: whole,
          text,
          json: <T>() => JSON.parse(text) as T,
        })
      })
    })
    outgoing.end(body)
  })
}

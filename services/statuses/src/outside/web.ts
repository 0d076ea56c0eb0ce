/** The way out of statuses: the guarded client, opened by its first use, and whole small answers of web servers. */
import type { Outbound, OutboundOptions, OutboundStream } from '@murmuration/outbound'

export interface WebAnswer {
  /** The address that answered. */
  url: string
  status: number
  /** Content type without parameters, in lower case. */
  type: string
  text: string
}

export interface Web {
  /** Reads the beginning of a page, at most `mostBytes`; the rest is not waited for. Rejects with `OutboundError`. */
  read(url: string, of: { accept: string; mostBytes: number; timeoutMs: number }): Promise<WebAnswer>
  /** Asks an interface of an operator’s choice; the whole answer. Rejects with `OutboundError`. */
  ask(of: {
    method: 'GET' | 'POST'
    url: string
    headers?: Record<string, string>
    body?: string
    timeoutMs: number
  }): Promise<{ status: number; text: string }>
  close(): Promise<void>
}

/** Answers of interfaces are texts of a status at most, however often they are escaped. */
const MOST_ANSWER = 2_097_152
/** What is refused while it is read, whatever we would have read of it. */
const MOST_PAGE = 16_777_216

const label = (type: string): string => /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(type)?.[1] ?? ''

/** The charset that the server names, or the page itself in its first kilobyte; UTF-8 otherwise. */
const decode = (bytes: Buffer, type: string): string => {
  const named = label(type) || label(bytes.subarray(0, 1_024).toString('latin1'))
  try {
    return new TextDecoder(named || 'utf-8').decode(bytes)
  } catch {
    // A charset that nobody knows.
    return new TextDecoder().decode(bytes)
  }
}

const beginningOf = async (answer: OutboundStream, most: number): Promise<Buffer> => {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer.body) {
    pieces.push(piece)
    size += piece.length
    if (size >= most) break
  }
  answer.body.destroy()
  return Buffer.concat(pieces).subarray(0, most)
}

/** `operator` are the options for addresses that the operator chose; statuses never name those. */
export const createWeb = (strangers: OutboundOptions, operator: OutboundOptions): Web => {
  const clients = new Map<OutboundOptions, Promise<Outbound>>()
  const open = (options: OutboundOptions): Promise<Outbound> => {
    const client =
      clients.get(options) ?? import('@murmuration/outbound').then(({ createOutbound }) => createOutbound(options))
    clients.set(options, client)
    return client
  }
  return {
    async read(url, { accept, mostBytes, timeoutMs }) {
      const client = await open(strangers)
      const answer = await client.stream({ method: 'GET', url, accept, maxBytes: MOST_PAGE, timeoutMs, redirects: 3 })
      const type = answer.headers['content-type'] ?? ''
      const text = decode(await beginningOf(answer, mostBytes), type)
      return { url: answer.url, status: answer.status, type: type.split(';')[0]?.trim().toLowerCase() ?? '', text }
    },
    async ask({ method, url, headers = {}, body, timeoutMs }) {
      const client = await open(operator)
      const answer = await client.request({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { body }),
        accept: 'application/json',
        maxBytes: MOST_ANSWER,
        timeoutMs,
      })
      return { status: answer.status, text: answer.body.toString('utf8') }
    },
    async close() {
      await Promise.all([...clients.values()].map(async (client) => (await client).close()))
    },
  }
}

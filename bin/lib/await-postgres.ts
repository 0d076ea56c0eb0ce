/** Waits until PostgreSQL accepts a login, so that the migrations can be started before the database is ready. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const PAUSE_MS = 1_000
const REPORT_MS = 10_000
/**
 * Milliseconds after which an attempt to connect fails. Without this limit, it might never end, because network
 * policies drop packets without a response.
 */
const CONNECT_MS = 10_000

/**
 * Error codes of temporary failures, by the operating system and by PostgreSQL: no route, no DNS entry yet, server
 * starting or stopping.
 */
const PASSING = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])

/** Whether a failure to connect may end without a change of settings. */
export const isPassing = (error: { code?: string; message?: string }): boolean =>
  error.code ? PASSING.has(error.code) : /timeout|terminated unexpectedly/i.test(error.message ?? '')

export interface WaitOptions {
  /** Maximum wait in seconds; with 0, only one attempt to connect is made. */
  seconds: number
  /** Called every ten seconds during the wait. `seconds`: time since its start. `error`: the last failure. */
  waiting(seconds: number, error: Error): void
}

/**
 * Resolves when a login at `url` succeeds. After the maximum wait, throws the last failure. A permanent failure is
 * thrown immediately, such as a wrong password, an untrusted certificate or a missing database.
 */
export const awaitPostgres = async (url: string, { seconds, waiting }: WaitOptions): Promise<void> => {
  const started = performance.now()
  let reported = started
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      // A failed attempt to connect may have left the socket open, so it is closed here.
      client.end().catch(() => undefined)
      const now = performance.now()
      if (!isPassing(error as Error & { code?: string }) || now - started >= seconds * 1_000) throw error
      if (now - reported >= REPORT_MS) {
        reported = now
        waiting(Math.round((now - started) / 1_000), error as Error)
      }
      await pause(PAUSE_MS)
    }
  }
}

/** Waits until PostgreSQL accepts a login, so that the migrations can start before their database. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const PAUSE_MS = 1_000
const REPORT_MS = 10_000
/** Timeout of a connection attempt in milliseconds, because a network policy drops packets without a response. */
const CONNECT_MS = 10_000

/** Error codes of temporary failures, of the system and of PostgreSQL: no route, no DNS name yet, starting up, shutting down. */
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

/** True for a temporary connection failure, which needs no change of settings. */
export const isPassing = (error: { code?: string; message?: string }): boolean =>
  error.code ? PASSING.has(error.code) : /timeout|terminated unexpectedly/i.test(error.message ?? '')

export interface WaitOptions {
  /** Maximum total wait in seconds; 0 tries once. */
  seconds: number
  /** `waiting` is called every ten seconds during the wait, with the seconds so far and the last failure. */
  waiting(seconds: number, error: Error): void
}

/**
 * Resolves when a login at `url` succeeds. Throws the last failure when the time is over. Throws immediately for permanent
 * failures: a wrong password, an untrusted certificate, a missing database.
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
      // Closes the socket, which may still be open after a failed attempt.
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

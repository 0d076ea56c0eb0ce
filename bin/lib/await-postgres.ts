/** Waits until PostgreSQL accepts a login, so that the migrations may start before their database does. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const PAUSE_MS = 1_000
const REPORT_MS = 10_000
/** A network policy drops packets without an answer, so a connection attempt ends after this time. */
const CONNECT_MS = 10_000

/** Codes of the system and of PostgreSQL that end by themselves: no route, no name yet, starting up, shutting down. */
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

/** True for a failure to connect that ends without a change of the settings. */
export const isPassing = (error: { code?: string; message?: string }): boolean =>
  error.code ? PASSING.has(error.code) : /timeout|terminated unexpectedly/i.test(error.message ?? '')

export interface WaitOptions {
  /** Seconds to wait in all; 0 tries once. */
  seconds: number
  /** Called every ten seconds while nothing answers: seconds waited so far, and the last failure. */
  waiting(seconds: number, error: Error): void
}

/**
 * Resolves when a login at `url` succeeds. Throws the last failure when the time is over, and at once when waiting
 * cannot help: a wrong password, a certificate that is not trusted, a database that does not exist.
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
      // A client whose attempt failed may still hold its socket.
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

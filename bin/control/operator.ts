/**
 * Connects the operator to a running cluster with the bus login that SECRET_KEY_BASE determines, and sends requests.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inboxPrefix, openMailbox } from '@murmuration/bus'
import type { AnyOperation, Operation, ResultOf } from '@murmuration/contracts/kit'
import {
  busPasswordOf,
  createSendRequest,
  decodeResponse,
  readCommonConfig,
  trustAuthorities,
} from '@murmuration/kernel'
import { connect, type NatsConnection, NoRespondersError } from '@nats-io/transport-node'
import type { z } from 'zod'

type InputOf<Op> = Op extends Operation<infer I, infer _O, infer _K> ? z.input<I> : never
type OutputOf<Op> = Op extends Operation<infer _I, infer O, infer _K> ? ResultOf<O> : never

export interface Operator {
  call<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<OutputOf<Op>>
  /** Sends a request to the bus itself, and returns its response. */
  askBus(subject: string, body: object): Promise<unknown>
  /** Sends a request to all processes that listen to a subject of the bus, and returns the responses of one second. */
  askAll(subject: string): Promise<unknown[]>
  close(): Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Environment variables that `npm start` stored for the running server. With them, commands in a second terminal need no settings. */
const runningEnv = (): Record<string, string> => {
  const file = join(resolve(root, process.env.DATA_DIR || '.data'), 'env.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
}

const NOBODY =
  'No running server responds: start it with npm start, or set NATS_URL and SECRET_KEY_BASE as it has them.'

/** Milliseconds within which JetStream must respond. */
const BUS_MS = 8_000
const ALL_MS = 1_000

/** Responses to one request by all processes that listen to the subject; empty if none listens. */
const everyResponse = async (nc: NatsConnection, subject: string): Promise<unknown[]> => {
  const found: unknown[] = []
  try {
    const responses = await nc.requestMany(subject, '', { strategy: 'timer', maxWait: ALL_MS, noMux: true })
    for await (const one of responses) found.push(one.json())
  } catch (error) {
    if (!(error instanceof NoRespondersError)) throw error
  }
  return found
}

export const connectOperator = async (
  env: NodeJS.ProcessEnv = { ...runningEnv(), ...process.env },
): Promise<Operator> => {
  if (!env.SECRET_KEY_BASE && !env.SECRETS_DIR) throw new Error(NOBODY)
  const config = readCommonConfig(env)
  trustAuthorities(config)
  const password = busPasswordOf(config, 'operator')
  const nc = await connect({
    servers: config.natsUrl.split(','),
    ...(password === null ? {} : { user: 'operator', pass: password }),
    inboxPrefix: inboxPrefix('operator'),
    timeout: 2_000,
    noAsyncTraces: true,
  }).catch(() => {
    throw new Error(NOBODY)
  })
  openMailbox(nc, inboxPrefix('operator'))
  const sendRequest = createSendRequest(nc)
  const call = async (wanted: AnyOperation, input: unknown): Promise<unknown> => {
    const parsed = wanted.input.safeParse(input)
    if (!parsed.success)
      throw new Error(`${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`)
    const response = await sendRequest(wanted, JSON.stringify(parsed.data), {
      remainingMs: 15_000,
      caller: null,
      requestId: randomUUID(),
      commandId: randomUUID(),
      idempotencyKey: null,
      locale: 'en',
      traceparent: '',
    })
    return decodeResponse(wanted, response)
  }
  return {
    call: call as Operator['call'],
    async askBus(subject, body) {
      const response = await nc.request(subject, JSON.stringify(body), { timeout: BUS_MS }).catch((cause: unknown) => {
        throw new Error('JetStream does not respond: most members of the bus must run and reach each other.', { cause })
      })
      return response.json()
    },
    askAll: (subject) => everyResponse(nc, subject),
    close: () => nc.close(),
  }
}

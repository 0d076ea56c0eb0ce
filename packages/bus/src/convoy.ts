/** Questions of one moment to one subject in one message, each with its own envelope, time and answer; the answers of one moment likewise. */
import { headers, type Msg, type NatsConnection, TimeoutError } from '@nats-io/transport-node'
import { publishAndWait } from './parts.js'
import { type Envelope, envelopeFromText, envelopeToText, type ReplyMeta, WIRE_VERSION } from './wire.js'

/** One question of a message, or a message that is one. */
export interface Question {
  readonly data: Uint8Array | string
  /** Throws when it cannot be read. */
  envelope(): Envelope
}

export interface Answer {
  bytes: Uint8Array
  meta: ReplyMeta
}

/** How many questions, or answers, the lines of a message hold. */
const CONVOY = 'Convoy'
/** So few that one process does not hold what others have hands for. */
const MOST = 25
const MOST_CHARACTERS = 200_000
/** A lone question leaves with the turn of the event loop that asks it; convoys begin at least so far apart. */
const PAUSE_MS = 2

const encoder = new TextEncoder()
const decoder = new TextDecoder()

interface Waiting {
  readonly payload: string
  readonly envelope: Envelope
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
  timer: NodeJS.Timeout | undefined
}

export interface Convoy {
  /** Asks, in company or alone; rejects when there is no answer in time. */
  ask(payload: string, envelope: Envelope): Promise<Answer>
}

/** True for a question that is one line and has room for others beside it. */
export const mayTravelTogether = (payload: Uint8Array | string): payload is string =>
  typeof payload === 'string' && payload.length < MOST_CHARACTERS / 4 && !payload.includes('\n')

/** An answer as a line: its place among the questions, what it is, and its text. */
const lineOf = (place: number, { meta, bytes }: Answer): string =>
  JSON.stringify([place, meta, bytes.length === 0 ? '' : decoder.decode(bytes)])

/** Answers with their places. Throws when the message is none of a process that knows convoys. */
const answersIn = (message: Msg): [number, Answer][] =>
  message
    .string()
    .split('\n')
    .map((line) => {
      const [place, meta, text] = JSON.parse(line) as [number, ReplyMeta, string]
      return [place, { meta, bytes: encoder.encode(text) }]
    })

/** Questions of this connection to this subject; `alone` asks one that has no company. */
export const createConvoy = (
  nc: NatsConnection,
  subject: string,
  kind: 'read' | 'write',
  alone: (payload: string, envelope: Envelope) => Promise<Answer>,
): Convoy => {
  let waiting: Waiting[] = []
  let planned = false
  let leftAt = Number.NEGATIVE_INFINITY

  const together = (questions: readonly Waiting[]): void => {
    const open = new Set(questions.keys())
    const end = (place: number): Waiting | null => {
      const question = questions[place]
      if (question === undefined || !open.delete(place)) return null
      clearTimeout(question.timer)
      return question
    }
    const lose = (error: unknown): void => {
      for (const place of [...open]) end(place)?.reject(error)
    }
    const h = headers()
    h.set('Version', WIRE_VERSION)
    h.set(CONVOY, String(questions.length))
    const lines = questions.flatMap(({ envelope, payload }) => [envelopeToText(envelope), payload])
    try {
      const forget = publishAndWait(nc, lines.join('\n'), h, {
        subject,
        kind,
        hear(message) {
          // Whatever throws in here ends the reading of the whole connection.
          try {
            for (const [place, answer] of answersIn(message)) end(place)?.resolve(answer)
          } catch (error) {
            lose(error)
          }
          return open.size === 0
        },
        lose,
      })
      for (const [place, question] of questions.entries())
        question.timer = setTimeout(
          () => {
            end(place)?.reject(new TimeoutError())
            if (open.size === 0) forget()
          },
          Math.max(0, question.envelope.remainingMs),
        )
    } catch (error) {
      lose(error)
    }
  }

  /** As many as fit into a message, those that waited longest. */
  const take = (): Waiting[] => {
    let characters = 0
    let many = 0
    for (const { payload } of waiting.slice(0, MOST)) {
      characters += payload.length
      if (characters > MOST_CHARACTERS) break
      many++
    }
    const taken = waiting.slice(0, many)
    waiting = waiting.slice(many)
    return taken
  }

  const leave = (): void => {
    planned = false
    leftAt = performance.now()
    const taken = take()
    const [first] = taken
    if (first !== undefined && taken.length === 1)
      alone(first.payload, first.envelope).then(first.resolve, first.reject)
    else together(taken)
    plan()
  }

  const plan = (): void => {
    if (planned || waiting.length === 0) return
    planned = true
    const left = leftAt + PAUSE_MS - performance.now()
    if (left > 0 && waiting.length < MOST) setTimeout(leave, left)
    else setImmediate(leave)
  }

  return {
    ask: (payload, envelope) =>
      new Promise((resolve, reject) => {
        waiting.push({ payload, envelope, resolve, reject, timer: undefined })
        plan()
      }),
  }
}

/** The questions of a message that holds several; null for every other message. */
export const questionsIn = (message: Msg): Question[] | null => {
  const count = Number(message.headers?.get(CONVOY) || 0)
  if (count === 0) return null
  const lines = decoder.decode(message.data).split('\n')
  return Array.from({ length: Math.min(count, MOST) }, (_, i) => ({
    data: lines[2 * i + 1] ?? '',
    envelope: () => envelopeFromText(lines[2 * i] ?? ''),
  }))
}

/** Sends answers back to who asked a convoy: those of one turn of the event loop together. */
export const answersTo = (
  message: Msg,
  unsent: (error: unknown) => void,
): ((place: number, answer: Answer) => void) => {
  let lines: string[] = []
  const send = (): void => {
    const text = lines.join('\n')
    lines = []
    try {
      message.respond(text)
    } catch (error) {
      unsent(error)
    }
  }
  return (place, answer) => {
    if (lines.push(lineOf(place, answer)) === 1) setImmediate(send)
  }
}

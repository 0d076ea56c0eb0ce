/** Fault points: named places at which a test can end the process, throw, sleep or drop the reply. */
import { ConfigError } from './settings.js'

type Action = { kind: 'exit' } | { kind: 'throw' } | { kind: 'sleep'; ms: number } | { kind: 'drop-reply' }
interface Planned {
  name: string
  action: Action
  /**
   * Number n: the fault occurs when the process reaches the point for the nth time. Text: it occurs for the message
   * with this id. Null: it occurs each time.
   */
  at: number | string | null
  seen: number
}

export class DroppedReply extends Error {}

export interface Faults {
  /** Called when the code reaches a fault point. Returns immediately when no fault is planned for the point. */
  reach(name: string, id?: string): Promise<void> | void
  readonly planned: boolean
}

const parseAction = (text: string): Action => {
  if (text === 'exit' || text === 'throw' || text === 'drop-reply') return { kind: text }
  const sleep = /^sleep:(\d+)$/.exec(text)
  if (sleep) return { kind: 'sleep', ms: Number(sleep[1]) }
  throw new ConfigError(`FAULT_POINTS: there is no action "${text}"; there are exit, throw, drop-reply and sleep:<ms>.`)
}

/** Parses `name=action@nth` or `name=action@id:<event id>`, comma separated. */
export const parseFaults = (spec: string): Planned[] =>
  spec
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => {
      const match = /^([\w.-]+)=([\w:-]+?)(?:@(?:id:(.+)|(\d+)))?$/.exec(one)
      if (!match) throw new ConfigError(`FAULT_POINTS: "${one}" is not name=action@nth or name=action@id:<event id>.`)
      return {
        name: match[1] ?? '',
        action: parseAction(match[2] ?? ''),
        at: match[3] ?? (match[4] ? Number(match[4]) : null),
        seen: 0,
      }
    })

/** Creates the fault points of a process from the text of FAULT_POINTS. Throws a ConfigError if the text is invalid. */
export const createFaults = (spec: string): Faults => {
  const planned = parseFaults(spec)
  if (planned.length === 0) return { reach: () => undefined, planned: false }
  return {
    planned: true,
    async reach(name, id) {
      for (const one of planned) {
        if (one.name !== name) continue
        one.seen++
        if (typeof one.at === 'number' ? one.seen !== one.at : typeof one.at === 'string' && one.at !== id) continue
        if (one.action.kind === 'exit') process.kill(process.pid, 'SIGKILL')
        if (one.action.kind === 'throw') throw new Error(`injected fault at ${name}`)
        if (one.action.kind === 'drop-reply') throw new DroppedReply(name)
        if (one.action.kind === 'sleep')
          await new Promise((resolve) => setTimeout(resolve, one.action.kind === 'sleep' ? one.action.ms : 0))
      }
    },
  }
}

/** Commands for tasks: start with progress until the end, list, show and stop. */
import { setTimeout as pause } from 'node:timers/promises'
import { Argument } from '@commander-js/extra-typings'
import { listAccountTasks, showAccountTask, stopAccountTask } from '@murmuration/contracts/accounts'
import { listAdminTasks, showAdminTask, stopAdminTask } from '@murmuration/contracts/admin'
import { listFederationTasks, showFederationTask, stopFederationTask } from '@murmuration/contracts/federation'
import { listMediaTasks, showMediaTask, stopMediaTask } from '@murmuration/contracts/media'
import type { Task } from '@murmuration/contracts/task'
import type { Operator } from './operator.js'
import {
  type Commands,
  createProgress,
  examples,
  idOf,
  isAway,
  minuteText,
  NONE,
  type Result,
  sayAway,
} from './result.js'

const SERVICES = {
  accounts: { list: listAccountTasks, show: showAccountTask, stop: stopAccountTask },
  admin: { list: listAdminTasks, show: showAdminTask, stop: stopAdminTask },
  federation: { list: listFederationTasks, show: showFederationTask, stop: stopFederationTask },
  media: { list: listMediaTasks, show: showMediaTask, stop: stopMediaTask },
}
export type TaskService = keyof typeof SERVICES
const NAMES = Object.keys(SERVICES) as TaskService[]

/**
 * Milliseconds before the first, second and later requests for the state of a task. The last value repeats. The first
 * values are small, because most tasks are short.
 */
const LOOK_MS = [50, 100, 200, 500]
const DETACH = ['--detach', 'do not wait for the end; task show prints the progress'] as const

export { DETACH }

const number = (count: number): string => count.toLocaleString('en-US')

/** A size in bytes as text, such as `1.5 GB`. */
export const bytesText = (bytes: number): string => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const amount = bytes / 1_000 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`
}

export interface TaskWords {
  /** Plural noun of the items that the task changes, such as `accounts`. */
  things: string
  /** Plural noun of the items that the task checks, if they differ from the changed items. */
  of?: string
  /** Verb of the task: past participle such as `removed`, and infinitive such as `remove` for a dry run. */
  done: string
  would: string
}

const amounts = (task: Task, { things, of, done, would }: TaskWords): string => {
  const notes = Object.entries(task.notes).map(([name, count]) => `${name.replaceAll('_', ' ')}: ${number(count)}`)
  const free = task.bytes > 0 ? ` (${bytesText(task.bytes)})` : ''
  const changed = number(task.changed)
  const all = of === undefined ? `${number(task.seen)} ${things}` : `${number(task.seen)} ${of}`
  const counts = `${changed}${of === undefined ? '' : ` ${things}`} of ${all}${free}`
  return [task.dry_run ? `Would ${would} ${counts}` : `${counts} ${done}`, ...notes].join(', ')
}

const STATES: Record<Task['state'], string> = {
  running: 'still running',
  done: '',
  failed: 'failed',
  stopped: 'stopped',
}

/** Text about the result of a task that ended, with its error. */
export const endText = (task: Task, words: TaskWords): string => {
  const state = STATES[task.state]
  return [amounts(task, words), state && `The task ${task.id} ${state}${task.error ? `: ${task.error}` : ''}.`]
    .filter(Boolean)
    .join('\n')
}

/** Waits until a task ends. If the task takes more than two seconds, its progress is printed. */
export const waitForTask = async (
  operator: Operator,
  service: TaskService,
  started: Task,
  words: TaskWords,
): Promise<Task> => {
  const progress = createProgress()
  let task = started
  for (let looks = 0; task.state === 'running'; looks++) {
    await pause(LOOK_MS[Math.min(looks, LOOK_MS.length - 1)])
    task = await operator.call(SERVICES[service].show, { id: started.id })
    const share = task.total && task.total > task.seen ? ` (${Math.floor((task.seen / task.total) * 100)} %)` : ''
    progress(`${amounts(task, words)} so far${share}${task.error ? `; tried again after: ${task.error}` : ''}`)
  }
  return task
}

/** Result of a command that started a task: its text, data and exit code. */
export const taskResult = async (
  operator: Operator,
  service: TaskService,
  started: Task,
  words: TaskWords,
  { detach }: { detach?: true | undefined },
): Promise<Result> => {
  if (detach)
    return {
      data: started,
      text: `The task ${started.id} is running. Its progress: bin/ctl task show ${service} ${started.id}`,
    }
  const task = await waitForTask(operator, service, started, words)
  return { data: task, text: endText(task, words), code: task.state === 'done' ? 0 : 1 }
}

const THINGS: TaskWords = { things: 'entries', done: 'changed', would: 'change' }
const line = (service: string, task: Task): string =>
  `${task.id}  ${service}  ${task.kind}${task.dry_run ? ' (dry run)' : ''}  ${minuteText(task.created_at)}  ${task.state}  ${amounts(task, THINGS)}`

export const addTaskCommands = ({ group, run }: Commands): void => {
  const task = group('task', 'Tasks: long work in the background.')
  task
    .command('list')
    .description('List the latest tasks of each service, newest first.')
    .action(
      run(async (operator) => {
        const lists = await Promise.allSettled(
          NAMES.map((service) => operator.call(SERVICES[service].list, { limit: 20 })),
        )
        const refused = lists.find((one) => one.status === 'rejected' && !isAway(one.reason))
        if (refused?.status === 'rejected') throw refused.reason
        sayAway(NAMES.filter((_, n) => lists[n]?.status === 'rejected'))
        const tasks = lists
          .flatMap((one, n) =>
            one.status === 'fulfilled' ? one.value.map((task) => ({ service: NAMES[n] ?? '', ...task })) : [],
          )
          .sort((a, b) => b.created_at.localeCompare(a.created_at))
        return { data: tasks, text: tasks.map((one) => line(one.service, one)).join('\n') || NONE }
      }),
    )
  const service = () => new Argument('<service>', 'service that runs it').choices(NAMES)
  task
    .command('show')
    .addArgument(service())
    .argument('<id>', 'id of the task', idOf)
    .description('Print the progress of a task.')
    .option('--follow', 'wait until it ends; the status is 1 when it fails or is stopped')
    .addHelpText('after', examples('task show accounts 117728431997133114 --follow'))
    .action(
      run(async (operator, name, id, { follow }) => {
        const found = await operator.call(SERVICES[name].show, { id })
        const shown = follow ? await waitForTask(operator, name, found, THINGS) : found
        const hasFailed = follow && shown.state !== 'done'
        const text = [line(name, shown), shown.error].filter(Boolean).join('\n')
        return { data: shown, text, code: hasFailed ? 1 : 0 }
      }),
    )
  task
    .command('stop')
    .addArgument(service())
    .argument('<id>', 'id of the task', idOf)
    .description('Stop a task after its current chunk. Finished chunks are not undone.')
    .action(
      run(async (operator, name, id) => {
        const stopped = await operator.call(SERVICES[name].stop, { id })
        return { data: stopped, text: line(name, stopped) }
      }),
    )
}

/**
 * The command that crawls other servers. Prints sums over all servers, their domains, or the numbers of each server as
 * JSON.
 */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import {
  CRAWL_CONCURRENCY,
  type CrawledServer,
  type CrawlSummary,
  listCrawledServers,
  showCrawl,
  startCrawl,
} from '@murmuration/contracts/federation'
import type { Operator } from './operator.js'
import { type Commands, createProgress, examples, idOf, numberUpTo, type Result } from './result.js'
import { DETACH, waitForTask } from './tasks.js'

const FORMATS = ['summary', 'domains', 'json'] as const
type Format = (typeof FORMATS)[number]
const PAGE = 200
const WORDS = { things: 'servers', done: 'responded', would: 'ask' }

const number = (count: number): string => count.toLocaleString('en-US')

export const summaryText = ({ task, ...sums }: CrawlSummary): string => {
  const visits = sums.visited + sums.failed
  const state =
    task.state === 'done' ? '' : `The task ${task.id} is ${task.state}. ${number(sums.waiting)} servers wait.`
  return [
    `Visited ${number(visits)} servers, ${number(sums.failed)} failed`,
    `Total servers: ${number(sums.visited)}`,
    `Total registered: ${number(sums.users)}`,
    `Total statuses: ${number(sums.statuses)}`,
    `Total active last week: ${number(sums.active_week)}`,
    `Total joined last week: ${number(sums.joined_week)}`,
    sums.blocked > 0 && `Suspended here, not visited: ${number(sums.blocked)}`,
    state,
    task.error,
  ]
    .filter(Boolean)
    .join('\n')
}

const everyServer = async (operator: Operator, id: string): Promise<CrawledServer[]> => {
  const servers: CrawledServer[] = []
  const progress = createProgress()
  for (let max_id: string | undefined; ; ) {
    const page = await operator.call(listCrawledServers, { id, limit: PAGE, ...(max_id && { max_id }) })
    servers.push(...page)
    progress(`${number(servers.length)} servers read so far`)
    max_id = page.at(-1)?.id
    if (page.length < PAGE || max_id === undefined) return servers.reverse()
  }
}

const resultOf = async (operator: Operator, id: string, format: Format): Promise<Result> => {
  const summary = await operator.call(showCrawl, { id })
  const code = summary.task.state === 'failed' ? 1 : 0
  if (format === 'summary') return { data: summary, text: summaryText(summary), code }
  const servers = await everyServer(operator, id)
  const text = format === 'json' ? JSON.stringify(servers, null, 2) : servers.map((one) => one.domain).join('\n')
  return { data: servers, text, code }
}

export const addCrawlCommand = ({ group, run }: Commands): void => {
  group('domain', '')
    .command('crawl')
    .argument('[start]', 'domain of the first server; every known server if absent')
    .description('Fetch statistics and the peers of known servers, and then those of the peers.')
    .option(
      '--concurrency <number>',
      `servers that are asked at once; ${CRAWL_CONCURRENCY.default} if absent`,
      numberUpTo(CRAWL_CONCURRENCY.max),
    )
    .addOption(new Option('--format <format>', 'form of the result').choices(FORMATS).default('summary' as Format))
    .option('--exclude-suspended', 'leave suspended servers out of the result')
    .option('--of <id>', 'print the result of a crawl that was started before', idOf)
    .option(...DETACH)
    .addHelpText(
      'after',
      examples('domain crawl', 'domain crawl social.example --format domains', 'domain crawl --detach'),
    )
    .action((start, { concurrency, format, excludeSuspended, of, detach }) => {
      if (of !== undefined && (start ?? concurrency ?? excludeSuspended ?? detach) !== undefined)
        throw new InvalidArgumentError('--of takes no start and no other flag than --format.')
      return run(async (operator) => {
        if (of !== undefined) return resultOf(operator, of, format)
        const task = await operator.call(startCrawl, {
          domain: start ?? null,
          ...(concurrency !== undefined && { concurrency }),
          exclude_suspended: excludeSuspended ?? false,
        })
        if (detach)
          return {
            data: task,
            text: `The task ${task.id} is running. Its result: bin/ctl domain crawl --of ${task.id}`,
          }
        await waitForTask(operator, 'federation', task, WORDS)
        return resultOf(operator, task.id, format)
      })()
    })
}

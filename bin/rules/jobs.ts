/** Checks that only jobs that may be lost are queued without a row in the outbox. */
import { type Problem, type SourceFile, sources } from './files.js'

/** Jobs that may be lost with the streams of the bus, each with the reason. `queues.push` may queue only these. */
const MAY_BE_LOST: ReadonlyMap<string, string> = new Map([
  ['checkQuote', 'a later view of the status queues it again'],
  ['checkReply', 'a later view of the status queues it again'],
  ['clearDomainJob', 'the next run of the tick `media.clear-refused` queues it again'],
  ['consultOriginJob', 'the origin delivers the activity itself, or the thread is fetched when it is viewed'],
  ['contracts.run', 'the tick that resumes tasks queues it again'],
  ['deliverJob', 'the tick `federation.wake-lanes` queues it again'],
  ['fetchAuthorStatuses', 'a later follow or view of the account queues it again'],
  ['fetchParent', 'the first waiting reply queued it in the outbox, and this job only repeats it'],
  ['fetchRepliesJob', 'a later view of the thread queues it again'],
  ['finishUndo', 'the next run of the tick `admin.finish-undos` queues it again'],
  ['readRelayedJob', 'relays promise no delivery, and the status is fetched when an account here needs it'],
  ['refetchGoneActorJob', 'a delivery of a later day queues it again'],
  ['refreshCollectionJob', 'a view of the collection on a later day queues it again'],
  ['refreshRemoteJob', 'the next use of the outdated profile queues it again'],
  ['refreshStatus', 'a later view of the poll, or the tick `statuses.ask-absent`, queues it again'],
  ['storeDigestsJob', 'the next request for the digests queues it again'],
  ['synchroniseFollowersJob', 'the next delivery of the sender queues it again'],
  ['verifyReaderJob', 'the reader repeats its request'],
])

const PUSHED = /\bqueues\s*\.push\(\s*([\w.]+)/g

/** Problems of one file: jobs that are queued without the outbox, although they must not be lost. */
export const losableJobs = ({ path, text }: SourceFile): Problem[] =>
  [...text.matchAll(PUSHED)].flatMap(([, job = '']) =>
    MAY_BE_LOST.has(job)
      ? []
      : [
          `${path}: queues.push(${job}, …) is lost with the streams: call queue(tx, ${job}, …), or give a reason in bin/rules/jobs.ts`,
        ],
  )

/** Reasons for jobs that no file pushes any longer. */
const unused = (files: readonly SourceFile[]): Problem[] => {
  const pushed = new Set(files.flatMap(({ text }) => [...text.matchAll(PUSHED)].map(([, job]) => job)))
  return [...MAY_BE_LOST.keys()]
    .filter((job) => !pushed.has(job))
    .map((job) => `bin/rules/jobs.ts: no file pushes ${job}: delete its line`)
}

export const jobRules = (): Problem[] => {
  const files = sources('packages/*/src/*.ts', 'services/*/src/*.ts').filter(({ path }) => !path.endsWith('.test.ts'))
  return [...files.flatMap(losableJobs), ...unused(files)]
}

/** Rules of polls: valid options and deadlines, votes, and refetches. */
import { type ErrorText, errorText, fieldProblem, invalidField, missingParameter } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { graphemeLength } from '@murmuration/text'

export interface PollInput {
  options?: readonly string[] | undefined
  /** Seconds until the end. A string is refused. */
  expires_in?: number | string | null | undefined
  multiple?: boolean | undefined
  hide_totals?: boolean | undefined
}

export interface PollDraft {
  options: string[]
  multiple: boolean
  hide_totals: boolean
  expires_at: Date
}

/** Poll options as they are stored: trimmed, without blank ones. */
const storedOptions = (given: readonly string[] | undefined): string[] =>
  (given ?? []).map((option) => option.trim()).filter((option) => option !== '')

const optionProblems = (options: readonly string[]): ErrorText[] => {
  const { minOptions, maxOptions, maxOptionCharacters } = limits.polls
  const problems: ErrorText[] = []
  if (options.length < minOptions) problems.push(errorText('Choices must have more than one item'))
  if (options.length > maxOptions)
    problems.push(errorText("Choices can't contain more than {most} items", { most: maxOptions }))
  if (options.some((option) => graphemeLength(option) > maxOptionCharacters))
    problems.push(errorText('Choices cannot be longer than {most} characters each', { most: maxOptionCharacters }))
  if (new Set(options).size < options.length) problems.push(errorText('Choices contain duplicate items'))
  return problems
}

const timeProblem = (seconds: PollInput['expires_in']): ErrorText | null => {
  if (seconds === null || seconds === undefined) return errorText("Deadline can't be blank")
  if (typeof seconds === 'string') return fieldProblem('poll expires_in', errorText('is invalid'))
  if (seconds > limits.polls.maxSeconds) return errorText('Deadline is too far into the future')
  return seconds < limits.polls.minSeconds ? errorText('Deadline is too soon') : null
}

/** Validates a new poll. Throws an error that lists all problems. */
export const validatePoll = (input: PollInput, now: number): PollDraft => {
  const options = storedOptions(input.options)
  const late = timeProblem(input.expires_in)
  const problems = [...optionProblems(options), ...(late === null ? [] : [late])]
  if (problems.length) throw invalidField(...problems)
  return {
    options,
    multiple: input.multiple ?? false,
    hide_totals: input.hide_totals ?? false,
    expires_at: new Date(now + Number(input.expires_in) * 1_000),
  }
}

/** Parses option indexes; -1 for text that is not a number. Throws if no option is chosen. */
export const readChoices = (given: readonly string[]): number[] => {
  if (given.length === 0) throw missingParameter('choices')
  return given.map((one) => (/^\d{1,4}$/.test(one) ? Number(one) : -1))
}

export interface Votable {
  authorId: string
  options: number
  multiple: boolean
  expiresAt: Date | null
}

/** Throws if a vote is not allowed. `before`: indexes of the options for which the account has already voted. */
export const checkVote = (
  poll: Votable,
  voterId: string,
  choices: readonly number[],
  before: readonly number[],
  now: number,
): void => {
  if (isExpired(poll.expiresAt, now)) throw invalidField('The poll has already ended')
  if (voterId === poll.authorId) throw invalidField('You cannot vote in your own polls')
  if (choices.some((choice) => choice < 0 || choice >= poll.options))
    throw invalidField('The chosen vote option does not exist')
  const again = choices.some((choice) => before.includes(choice)) || new Set(choices).size < choices.length
  if (again || (!poll.multiple && (before.length > 0 || choices.length > 1)))
    throw invalidField('You have already voted on this poll')
}

/** Choices of a remote vote that count: each once, and only one in a single-choice poll. */
export const countable = (
  poll: { multiple: boolean },
  wanted: readonly number[],
  before: readonly number[],
): number[] => {
  const fresh = [...new Set(wanted)].filter((choice) => choice >= 0 && !before.includes(choice))
  if (poll.multiple) return fresh
  return before.length > 0 ? [] : fresh.slice(0, 1)
}

export const isExpired = (expiresAt: Date | null, now: number): boolean =>
  expiresAt !== null && expiresAt.getTime() <= now

const FRESH_MS = 60_000

/** Whether a viewed remote poll is fetched again: at most once a minute, and once more after its end. */
export const isPollStale = (
  poll: { local: boolean; expiresAt: Date | null; fetchedAt: Date },
  now: number,
): boolean => {
  const { local, expiresAt, fetchedAt } = poll
  if (local || now - fetchedAt.getTime() < FRESH_MS) return false
  return expiresAt === null || fetchedAt.getTime() < expiresAt.getTime()
}

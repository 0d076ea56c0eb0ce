/** Rules of lists: the title, and how replies are treated. */
import { invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

const POLICIES = ['list', 'followed', 'none'] as const
export type RepliesPolicy = (typeof POLICIES)[number]

/** The title as stored; throws when it is blank or too long. */
export const listTitle = (typed: string): string => {
  const title = typed.trim()
  const most = limits.accounts.listTitleCharacters
  if (title === '') throw invalidField("Title can't be blank")
  if ([...title].length > most) throw invalidField(`Title is too long (maximum is ${most} characters)`)
  return title
}

/** The policy; throws when there is no such one (S-194). */
export const repliesPolicy = (typed: string): RepliesPolicy => {
  const policy = POLICIES.find((one) => one === typed)
  if (!policy) throw invalidField('Replies policy is not included in the list')
  return policy
}

/** Validates titles and replies policies of lists. */
import { errorText, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'

const POLICIES = ['list', 'followed', 'none'] as const
export type RepliesPolicy = (typeof POLICIES)[number]

/** Returns the title of a list without surrounding spaces. Throws if the title is blank or too long. */
export const listTitle = (typed: string): string => {
  const title = typed.trim()
  const max = limits.accounts.listTitleCharacters
  if (title === '') throw invalidField("Title can't be blank")
  if ([...title].length > max)
    throw invalidField(errorText('Title is too long (maximum is {most} characters)', { most: max }))
  return title
}

/** Returns the replies policy of a list. Throws if the text is no replies policy (S-194). */
export const repliesPolicy = (typed: string): RepliesPolicy => {
  const policy = POLICIES.find((one) => one === typed)
  if (!policy) throw invalidField('Replies policy is not included in the list')
  return policy
}

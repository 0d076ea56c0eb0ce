/** Names of fields in the texts of errors. */
import { ErrorText, errorText } from './error-text.js'
import { invalidField } from './errors.js'

/** Translations of the names of fields that users fill in. Other parameters keep the name that the API documentation has. */
const TRANSLATED: ReadonlyMap<string, ErrorText> = new Map(
  [
    errorText('Account'),
    errorText('Agreement'),
    errorText('Attribution domains'),
    errorText('Avatar'),
    errorText('Avatar description'),
    errorText('Collection items'),
    errorText('Comment'),
    errorText('Current password'),
    errorText('Date of birth'),
    errorText('Description'),
    errorText('Display name'),
    errorText('Domain'),
    errorText('Email'),
    errorText('Expires in'),
    errorText('Fields'),
    errorText('File'),
    errorText('Header'),
    errorText('Header description'),
    errorText('Image'),
    errorText('Invite code'),
    errorText('Ip'),
    errorText('Keyword'),
    errorText('Keywords keyword'),
    errorText('Language'),
    errorText('Maximum uses'),
    errorText('Name'),
    errorText('Note'),
    errorText('Password'),
    errorText('Picture'),
    errorText('Private comment'),
    errorText('Public comment'),
    errorText('Reason'),
    errorText('Role'),
    errorText('Scopes'),
    errorText('Tag'),
    errorText('Thumbnail'),
    errorText('Time zone'),
    errorText('Title'),
    errorText('Username'),
  ].map((text) => [text.message, text]),
)

/** Returns the name of a field for the start of an error text: `display_name` → `Display name`. */
export const fieldText = (name: string): ErrorText => {
  const words = name.replaceAll('_', ' ')
  const label = words.charAt(0).toUpperCase() + words.slice(1)
  return TRANSLATED.get(label) ?? new ErrorText(label)
}

/** Returns one problem of a validation error: the name of the field and the end of the sentence. */
export const fieldProblem = (name: string, problem: ErrorText): ErrorText =>
  errorText('{field} {problem}', { field: fieldText(name), problem })

/** Returns the integer of a field with the schema `intOrText`. Throws 422 that names the field if the value is another text. */
export const integerOf = <T>(name: string, value: T | string): T => {
  if (typeof value === 'string') throw invalidField(fieldProblem(name, errorText('is invalid')))
  return value
}

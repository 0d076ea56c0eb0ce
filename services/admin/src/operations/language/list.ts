/** Languages a status can be in. */
import { languageList } from '@murmuration/contracts/admin'
import { languages } from '@murmuration/text'
import { handle } from '../../doors.js'

export const list = handle(languageList, async () => languages.map(({ code, name }) => ({ code, name })))

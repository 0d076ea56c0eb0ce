/** The text that `npm start` prints when the server runs, with the login of the first administrator. */
import { readFileSync } from 'node:fs'
import { writePrivate } from './private-file.mjs'
import { say as sayAloud, shown } from './say.mjs'

/**
 * Prints the address and the login of the server. The password is printed only if it was created now, because it may
 * have been changed later. It is printed before it is stored, so that a full disk does not hide it.
 * @param {number} port
 * @param {{created: boolean, email?: string, password?: string}} admin
 * @param {string} file file in which the login is stored
 * @param {(text: string) => void} [print]
 * @param {(text: string) => void} [say]
 */
export function welcome(port, admin, file, print = console.log, say = sayAloud) {
  const lines = [
    `Murmuration is running at http://localhost:${port}`,
    '',
    ...loginLines(admin, file),
    '',
    `Write your first post in the browser: http://localhost:${port}/home`,
  ]
  print(['', ...lines, '', 'Press Ctrl-C to stop.', ''].join('\n'))
  if (!admin.created) return
  try {
    writePrivate(file, JSON.stringify(admin))
  } catch (error) {
    say(`${shown(file)} could not be written (${error.code}), so note the password`)
  }
}

function loginLines(admin, file) {
  const kept = admin.created ? admin : keptAdmin(file)
  if (!kept?.email) {
    return [
      'The login of the administrator was printed at the first start.',
      'For a new password: bin/ctl account modify admin --reset-password',
    ]
  }
  const password = admin.created ? admin.password : `printed at the first start (${shown(file)})`
  return ['Sign in as the administrator:', '', `  E-mail     ${kept.email}`, `  Password   ${password}`]
}

/** The stored login. Null if the file is missing or damaged, which must not prevent a start. */
function keptAdmin(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

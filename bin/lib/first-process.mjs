/** Lets SIGTERM and SIGINT end the first process of a container, for which the system ignores signals without a handler. */
const NUMBERS = { SIGINT: 2, SIGTERM: 15 }

if (process.pid === 1) {
  for (const [signal, number] of Object.entries(NUMBERS)) {
    // A handler of the program goes before: a role that has started ends in order.
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number)
    })
  }
}

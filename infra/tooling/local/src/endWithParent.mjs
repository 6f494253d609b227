// Loaded into each service (node --import): a service must not outlive the
// stack that started it, even if that one was killed without a chance to stop it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Listening keeps the channel open; the service alone decides when it is done.
process.channel?.unref();

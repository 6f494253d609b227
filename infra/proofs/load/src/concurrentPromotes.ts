import { startOwnStack } from '@forecourt/e2e/ownStack';
import { fixtureDist, readManifest, releasesOf } from '@forecourt/e2e/releases';
import { type Proof, required, told } from './proof.ts';
import { publishVariant, readHistory, readPointers, write } from './registryCalls.ts';
import { until } from './until.ts';

const PROMOTES = 50;

export const concurrentPromotes: Proof = {
  name: 'promotes',
  title: `${PROMOTES} concurrent promotes lose none`,
  limitMs: 4 * 60_000,
  method: `${PROMOTES} releases of one remote are published; then ${PROMOTES} requests of the registry's HTTP API promote one each at the same time. Nothing is lost when all are answered with 200, the revision has grown by ${PROMOTES}, and the history is one chain in which each change begins with what the one before it left. Then as many that all name the same revision: compare-and-set lets one of them through.`,
  async run({ onEnd, say }) {
    const stack = await startOwnStack();
    onEnd(stack.remove);
    const registry = stack.urls['remote-registry'];
    const { name } = readManifest(fixtureDist('good'));
    const versions = Array.from({ length: PROMOTES }, (_, at) => `9.4.${at}`);
    for (const version of versions) await publishVariant(registry, fixtureDist('good'), version);
    say('promoting');
    const before = await readPointers(registry);
    const began = performance.now();
    const answers = await Promise.all(
      versions.map((version, at) =>
        write(registry, `/api/remotes/${name}/promote`, { version, by: `team ${at}`, why: 'at once' }),
      ),
    );
    const ms = Math.round(performance.now() - began);
    const done = answers.filter(({ status }) => status === 200).length;
    const after = await readPointers(registry);
    const changes = (await readHistory(registry, name, PROMOTES)).toReversed();
    const breaks = changes.filter(
      (change, at) => at > 0 && change.before?.live !== changes[at - 1]?.after.live,
    ).length;
    const recorded = new Set(changes.map((change) => change.after.live));
    const revisions = new Set(changes.map(({ revision }) => revision));
    const live = after.remotes[name]?.live;
    await until(
      'the last of them in the shell',
      async () => (await releasesOf(stack.urls.shell))[name] === live,
    );

    const races = await Promise.all(
      versions.map((version) =>
        write(registry, `/api/remotes/${name}/promote`, {
          // The live one changes nothing, and so would be no writer.
          version: version === live ? versions.find((other) => other !== live) : version,
          expectedRevision: after.revision,
        }),
      ),
    );
    const won = races.filter(({ status }) => status === 200).length;
    const refused = races.filter(({ status }) => status === 409).length;
    const final = await readPointers(registry);
    return [
      required('Promotes answered with 200', done, String(PROMOTES), done === PROMOTES),
      told('Time for all', `${ms} ms`),
      required(
        'Revision grown by',
        after.revision - before.revision,
        String(PROMOTES),
        after.revision - before.revision === PROMOTES,
      ),
      required(
        'Versions in the history',
        recorded.size,
        String(PROMOTES),
        versions.every((version) => recorded.has(version)),
      ),
      required('Revisions in the history', revisions.size, String(PROMOTES), revisions.size === PROMOTES),
      required('Changes that do not begin with what the one before left', breaks, '0', breaks === 0),
      required(
        'Live is what the last change says',
        String(live),
        String(changes.at(-1)?.after.live),
        live === changes.at(-1)?.after.live,
      ),
      required(
        'From one revision: let through, refused with 409',
        `${won}, ${refused}`,
        `1, ${PROMOTES - 1}`,
        won === 1 && refused === PROMOTES - 1,
      ),
      required(
        'Revision after that grown by',
        final.revision - after.revision,
        '1',
        final.revision - after.revision === 1,
      ),
    ];
  },
};

import { UsageError } from '../commandLine.ts';
import { publishRelease } from '../publish.ts';
import { type Command, rejectExtraArguments } from './command.ts';

/** `publish DIRECTORY` */
export const publish: Command = async ({ access, args }) => {
  const [directory, ...rest] = args;
  if (directory === undefined) throw new UsageError('publish needs the DIRECTORY of a built remote');
  rejectExtraArguments(rest);
  const { name, version } = await publishRelease({ ...access, directory });
  return { text: `published ${name}@${version}`, data: { name, version } };
};

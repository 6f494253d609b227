import { stripVTControlCharacters } from 'node:util';

/** Jest reporter that prints nothing but failures; `npm test` adds the counts. */
export default class FailuresReporter {
  onTestFileResult(test, { failureMessage }) {
    this.onTestResult(test, { failureMessage });
  }

  onTestResult({ path }, { failureMessage }) {
    if (!failureMessage) return;
    const text = `\n✖ ${path}\n${failureMessage}\n`;
    process.stderr.write(process.stderr.isTTY ? text : stripVTControlCharacters(text));
  }
}

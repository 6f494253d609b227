import { recordEarlyInput } from '@forecourt/shell/engine/earlyInput';
import { startScriptsAfterLoad } from '@forecourt/shell/engine/startScripts';

recordEarlyInput(() => false);
startScriptsAfterLoad();

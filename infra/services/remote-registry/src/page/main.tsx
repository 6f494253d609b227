import { createRoot } from 'react-dom/client';
import { ControlRoom } from './ControlRoom.tsx';

const place = document.getElementById('room');
if (!place) throw new Error('the page has no element #room');
createRoot(place).render(<ControlRoom />);

// The front door of the switching room: what an operator has switched off or nobody attests, and that nothing is routed through it. Called from the main thread only.
export { type Attendance, bothOff, createAttendance } from './attendance.ts';
export { guardSolving } from './guard-solving.ts';
export { operateSwitches, type SwitchOperator } from './operate-switches.ts';
export { createVenueSwitches, type SwitchChange, type VenueSwitches, type VenueSwitchesOptions } from './venue-switches.ts';

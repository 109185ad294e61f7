// Decorators need it before the first class is loaded, as in main.ts.
import 'reflect-metadata';
